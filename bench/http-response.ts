const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

export interface HttpResponse {
  readonly head: string;
  readonly body: string;
}

/** Whether all of a response is there. No JSON or event ends like the last chunk: both escape CR. */
export function isComplete(bytes: Buffer): boolean {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return false;
  const length = contentLength(bytes.toString('latin1', 0, headEnd));
  if (length === undefined) return bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  return bytes.length >= headEnd + HEAD_END.length + length;
}

/** The parts of a complete response; what is not a success throws. */
export function readResponse(bytes: Buffer): HttpResponse {
  const headEnd = bytes.indexOf(HEAD_END);
  const head = bytes.toString('latin1', 0, headEnd);
  const rest = bytes.subarray(headEnd + HEAD_END.length);
  const body = contentLength(head) === undefined ? joinChunks(rest) : rest.toString();
  if (!head.startsWith('HTTP/1.1 20')) throw new Error(`${head.split('\r\n')[0]}: ${body}`);
  return { head, body };
}

function contentLength(head: string): number | undefined {
  const [, length] = /^content-length: *(\d+)/im.exec(head) ?? [];
  return length === undefined ? undefined : Number(length);
}

function joinChunks(bytes: Buffer): string {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const start = bytes.indexOf('\r\n', at) + 2;
    const length = Number.parseInt(bytes.toString('latin1', at, start), 16);
    if (length === 0) return Buffer.concat(chunks).toString();
    chunks.push(bytes.subarray(start, start + length));
    at = start + length + 2;
  }
}
