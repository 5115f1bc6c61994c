// Shows a file that was downloaded with the key: a PDF in the browser's viewer, an image directly.
import { useEffect, useState } from "preact/hooks";
import { fileSize } from "colophon-ui/file-size";

export function FileView({ file, name }: { file: Blob; name: string }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  if (url === null) return null;
  const isPdf = file.type === "application/pdf";
  return (
    <div class="file">
      <p class="actions">
        <a class="button" href={url} download={name}>
          Download ({fileSize(file.size)})
        </a>
        <a href={url} target="_blank" rel="noopener">
          Open in a new tab
        </a>
      </p>
      {!isPdf && <img src={url} alt="The document" />}
      {isPdf && navigator.pdfViewerEnabled && <iframe src={url} title="The document" />}
      {isPdf && !navigator.pdfViewerEnabled && (
        <p class="empty">This browser cannot show a PDF in a page. Download the file, or open it in a new tab.</p>
      )}
    </div>
  );
}

/** Starts the download of a file that only the key can read. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
