import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from './config-format';
import type { Config } from './config';

const RETRIES = 3;
const WAIT_MS = 250;
const DEFAULT_PATH = './app.conf';
const ENCODING = 'utf-8';
const COMMENT = '#';

export async function readWithRetries(path: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readFile(path, 'utf-8');
    } catch (error) {
      if (attempt === RETRIES) throw error;
      await sleep(WAIT_MS * attempt);
    }
  }
}

export async function loadConfig(path = DEFAULT_PATH): Promise<Config> {
  const lines = (await readWithRetries(path)).split('\n');
  return parse(lines.filter((line) => !line.startsWith(COMMENT)).join('\n'), ENCODING);
}
