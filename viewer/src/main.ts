import { App } from "./app";

const host = document.getElementById("app")!;
try {
  const app = new App(host);
  // For tests and for the curious.
  (window as unknown as { wend: App }).wend = app;
} catch (error) {
  host.textContent = `The page cannot start: ${error instanceof Error ? error.message : error}. It needs a browser with WebGL 2.`;
}
