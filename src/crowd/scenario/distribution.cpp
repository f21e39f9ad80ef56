#include "crowd/scenario/distribution.h"

#include <numbers>

namespace wend {
namespace {

constexpr int kMaxDraws = 1000;

// Uniform in (0, 1], so that its logarithm is finite.
double positive(Random& random) {
  return 1.0 - random.real();
}

// Box, Muller 1958; the second value is not kept, so that a draw has no memory.
double normal(Random& random) {
  const double length = std::sqrt(-2 * std::log(positive(random)));
  return length * std::cos(2 * std::numbers::pi * random.real());
}

// Marsaglia, Tsang 2000.
double gamma(double shape, Random& random) {
  if (shape < 1) return gamma(shape + 1, random) * std::pow(positive(random), 1 / shape);
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = normal(random);
    const double t = 1 + c * x;
    if (t <= 0) continue;
    const double v = t * t * t;
    if (std::log(positive(random)) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

double drawOnce(const Distribution& d, Random& random) {
  switch (d.kind) {
    case Distribution::Kind::kConstant:
      return d.a;
    case Distribution::Kind::kUniform:
      return random.real(d.min, d.max);
    case Distribution::Kind::kNormal:
      return d.a + d.b * normal(random);
    case Distribution::Kind::kLognormal:
      return std::exp(d.a + d.b * normal(random));
    case Distribution::Kind::kGamma:
      return gamma(d.a, random) * d.b;
    case Distribution::Kind::kWeibull:
      return d.b * std::pow(-std::log(positive(random)), 1 / d.a);
    case Distribution::Kind::kExponential:
      return -d.a * std::log(positive(random));
    case Distribution::Kind::kTable:
      return d.values[drawIndex(d.weights, random)];
  }
  return d.a;
}

// The regularised lower incomplete gamma function, by its series.
double lowerGamma(double shape, double x) {
  if (x <= 0) return 0;
  double term = 1 / shape;
  double sum = term;
  for (double n = shape + 1; term > sum * 1e-15; ++n) {
    term *= x / n;
    sum += term;
  }
  return std::min(1.0, sum * std::exp(-x + shape * std::log(x) - std::lgamma(shape)));
}

double normalCumulative(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

}  // namespace

std::optional<double> draw(const Distribution& distribution, Random& random) {
  for (int i = 0; i < kMaxDraws; ++i) {
    const double value = drawOnce(distribution, random);
    if (value >= distribution.min && value <= distribution.max) return value;
  }
  return {};
}

size_t drawIndex(std::span<const double> weights, Random& random) {
  double total = 0;
  for (const double weight : weights) total += weight;
  double left = random.real() * total;
  size_t last = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    if (left < weights[i]) return i;
    left -= weights[i];
  }
  return last;
}

double cumulative(const Distribution& d, double x) {
  switch (d.kind) {
    case Distribution::Kind::kConstant:
      return x >= d.a ? 1 : 0;
    case Distribution::Kind::kUniform:
      return std::clamp((x - d.min) / (d.max - d.min), 0.0, 1.0);
    case Distribution::Kind::kNormal:
      return normalCumulative((x - d.a) / d.b);
    case Distribution::Kind::kLognormal:
      return x <= 0 ? 0 : normalCumulative((std::log(x) - d.a) / d.b);
    case Distribution::Kind::kGamma:
      return lowerGamma(d.a, x / d.b);
    case Distribution::Kind::kWeibull:
      return x <= 0 ? 0 : 1 - std::exp(-std::pow(x / d.b, d.a));
    case Distribution::Kind::kExponential:
      return x <= 0 ? 0 : 1 - std::exp(-x / d.a);
    case Distribution::Kind::kTable: {
      double below = 0;
      double total = 0;
      for (size_t i = 0; i < d.values.size(); ++i) {
        total += d.weights[i];
        if (d.values[i] <= x) below += d.weights[i];
      }
      return below / total;
    }
  }
  return 0;
}

}  // namespace wend
