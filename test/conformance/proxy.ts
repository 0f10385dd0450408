import { request } from 'node:http';
import { listen } from './listen.ts';

/** Passes everything on as it is, with the token that the suite cannot send. */
export function openProxy(port: number, token: string) {
  return listen((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const upstream = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: url,
        headers: { ...headers, authorization: `Bearer ${token}` },
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        // A stream is open from its first byte, long before there is anything in it.
        outgoing.flushHeaders();
        response.pipe(outgoing);
      },
    );
    upstream.on('error', () => outgoing.destroy());
    outgoing.on('close', () => upstream.destroy());
    incoming.pipe(upstream);
  });
}
