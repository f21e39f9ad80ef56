// Fingers on the page: events of a touch screen, which Playwright's own taps do not move.
export class Fingers {
  static async on(context, page) {
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
    return new Fingers(session);
  }
  constructor(session) { this.session = session; }
  // Each finger goes from its first to its second place, in steps.
  async drag(fingers, steps = 6) {
    const points = (t) => fingers.map(([from, to], id) => ({ id, x: from.x + t * (to.x - from.x), y: from.y + t * (to.y - from.y) }));
    await this.send("touchStart", points(0));
    for (let i = 1; i <= steps; ++i) await this.send("touchMove", points(i / steps));
    await this.send("touchEnd", []);
  }
  send(type, touchPoints) { return this.session.send("Input.dispatchTouchEvent", { type, touchPoints }); }
}
