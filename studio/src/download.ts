// Hands the browser a file to save.
export function download(name: string, contents: string | Uint8Array): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([contents as BlobPart]));
  link.download = name;
  link.click();
  // A busy browser begins to read a while after the click.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
