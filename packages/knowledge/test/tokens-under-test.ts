export { TokenCounter, tokenFile } from '../src/tokens/token-counter.ts';
