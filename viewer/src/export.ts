// Pictures and animations of the view.

export function download(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

export function saveBytes(bytes: Uint8Array<ArrayBuffer>, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  download(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

export function savePicture(canvas: HTMLCanvasElement, name: string): void {
  canvas.toBlob((blob) => {
    if (!blob) return;
    const url = URL.createObjectURL(blob);
    download(url, name);
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }, "image/png");
}

// Records the canvas until stop() is called; gives a WebM file.
export class Animation {
  private recorder?: MediaRecorder;
  private pieces: Blob[] = [];

  get running(): boolean {
    return this.recorder?.state === "recording";
  }

  static get possible(): boolean {
    return typeof MediaRecorder !== "undefined" && MediaRecorder.isTypeSupported("video/webm");
  }

  start(canvas: HTMLCanvasElement, name: string): void {
    const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((t) => MediaRecorder.isTypeSupported(t));
    this.pieces = [];
    this.recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 8e6 });
    this.recorder.ondataavailable = (event) => event.data.size > 0 && this.pieces.push(event.data);
    this.recorder.onstop = () => {
      const url = URL.createObjectURL(new Blob(this.pieces, { type: "video/webm" }));
      download(url, name);
      setTimeout(() => URL.revokeObjectURL(url), 60000);
      this.pieces = [];
    };
    this.recorder.start(1000);
  }

  stop(): void {
    if (this.running) this.recorder!.stop();
  }
}
