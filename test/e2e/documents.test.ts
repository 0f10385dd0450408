import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { serveStdio } from '@baton/mcp';
import { describe, expect, test } from 'vitest';
import { program } from './programs.ts';
import { cites } from './requirements.ts';
import { testBaton } from './ways.ts';

/** The hand tests that the documents print, run as they are printed but for the program's path. */
describe('document 001', () => {
  test(`${cites('DOCS-HAND-TESTS')} echo … | node … --stdio`, () => {
    const line = `echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}' | node ${program} --stdio`;
    const output = execFileSync('sh', ['-c', line], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(JSON.parse(output)).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'baton' },
      },
    });
  });
});

describe('document 003', () => {
  test(`${cites('DOCS-HAND-TESTS')} example 1: a manual initialize, logs on stderr`, () => {
    const request =
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"test","version":"1.0.0"}}}';
    const { stdout, stderr } = spawnSync('sh', ['-c', `echo '${request}' | node ${program}`], {
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { protocolVersion: '2024-11-05' } });
    expect(stderr).toMatch(/^\[.+Z\] \[INFO\] \[[\w-]+\] /);
  });

  test(`${cites('DOCS-HAND-TESTS')} testing transport: initialize with empty params`, async () => {
    const server = spawn('node', [program], { stdio: ['pipe', 'pipe', 'pipe'] });
    const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
    server.stdin.write(`${JSON.stringify(request)}\n`);
    const data = await new Promise<Buffer>((resolve) => server.stdout.once('data', resolve));
    expect(JSON.parse(data.toString())).toMatchObject({ id: 1, result: { serverInfo: {} } });
    server.kill();
  });

  test(`${cites('DOCS-HAND-TESTS')} examples 2 and 3: a client that splits lines itself`, async () => {
    const server = spawn('node', [program], { stdio: ['pipe', 'pipe', 'pipe'] });
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: { prompts: {}, resources: {} },
      clientInfo: { name: 'test-client', version: '1.0.0' },
    };
    server.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
    );
    server.stdin.end(
      '{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"orchestr8://agents/non-existent"}}\n',
    );
    let buffer = '';
    const responses: { id: number }[] = [];
    for await (const chunk of server.stdout) {
      buffer += chunk;
      const lines = buffer.split('\n');
      buffer = lines.pop() || '';
      for (const line of lines) if (line.trim()) responses.push(JSON.parse(line));
    }
    expect(responses.find(({ id }) => id === 1)).toHaveProperty('result');
    expect(responses.find(({ id }) => id === 2)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('orchestr8://agents/non-existent') },
    });
  });
});

describe('document 004', () => {
  /** Streams in memory, as the document's own unit test has them. */
  function streams() {
    const inputStream = new Readable({ read() {} });
    const outputData: string[] = [];
    const outputStream = new Writable({
      write(chunk, _encoding, callback) {
        outputData.push(chunk.toString());
        callback();
      },
    });
    return { inputStream, outputStream, outputData };
  }

  test(`${cites('DOCS-HAND-TESTS', 'STDIO-STREAMS')} test 1: should handle getNextTask request`, async () => {
    const { inputStream, outputStream, outputData } = streams();
    const server = serveStdio(testBaton(), { input: inputStream, output: outputStream });
    inputStream.push(`${JSON.stringify({ jsonrpc: '2.0', method: 'getNextTask', id: 1 })}\n`);
    inputStream.push(null);
    await server.closed;
    const response = JSON.parse(outputData.join(''));
    expect(response.jsonrpc).toBe('2.0');
    expect(response.id).toBe(1);
    expect(response.result).toEqual({ text: '', tags: [] });
  });

  test(`${cites('DOCS-HAND-TESTS', 'STDIO-STREAMS')} askQuestion as it is printed, and errors by the table`, async () => {
    const { inputStream, outputStream, outputData } = streams();
    const server = serveStdio(testBaton(), { input: inputStream, output: outputStream });
    inputStream.push(
      `{
      "jsonrpc":"2.0",
      "method":"askQuestion",
      "params":{"question":"What is async/await?","chatId":"chat-123"},
      "id":2
    }`.replaceAll('\n', ' '),
    );
    inputStream.push(
      '\n{"jsonrpc":"2.0","method":"askQuestion","params":{"question":""},"id":3}\n',
    );
    inputStream.push(
      '{"jsonrpc":"2.0","method":5,"id":4}\n{"jsonrpc":"2.0","method":"nothing","id":5}\n{oops\n',
    );
    inputStream.push(null);
    await server.closed;
    const byId = new Map(
      outputData
        .join('')
        .trim()
        .split('\n')
        .map((line) => [JSON.parse(line).id, JSON.parse(line)]),
    );
    expect(byId.get(2).result).toEqual({
      answer: 'You asked: What is async/await?',
      chatId: 'chat-123',
    });
    expect(byId.get(3).error.code).toBe(-32602);
    expect(byId.get(4).error.code).toBe(-32600);
    expect(byId.get(5).error.code).toBe(-32601);
    expect(byId.get(null).error.code).toBe(-32700);
  });

  test(`${cites('STDIO-STREAMS')} close() drains and closed tells when it is over`, async () => {
    const { inputStream, outputStream, outputData } = streams();
    const server = serveStdio(testBaton(), { input: inputStream, output: outputStream });
    inputStream.push('{"jsonrpc":"2.0","method":"slowTask","params":{"ms":50},"id":1}\n');
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([server.close(), server.close(), server.closed]);
    expect(JSON.parse(outputData.join(''))).toMatchObject({ id: 1, result: { waited: true } });
  });
});
