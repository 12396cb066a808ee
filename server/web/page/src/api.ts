// Questions to the server of the console, with the token of its start.

const STORED = "astrolabe-token";

/** Whether the address of the page has a token, as the command printed it, or a ticket, as the command opened it. */
export const hasSecret = (): boolean => /^#(token|ticket)=/.test(location.hash);

/** Keep the token of the address, or the one that its ticket is exchanged for, and take the secret out of the address bar. */
export async function takeToken(): Promise<void> {
  const [, kind, secret] = /^#(token|ticket)=([\w-]+)$/.exec(location.hash) ?? [];
  if (!secret) return;
  history.replaceState(null, "", `${location.pathname}#/ask`);
  localStorage.setItem(STORED, secret);
  if (kind === "token") return;
  try {
    localStorage.setItem(STORED, (await ask<{ token: string }>("enter")).token);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The first question of the page has the same error, and the page shows it.
  }
}

/** A sentence that tells what went wrong. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }

  /** Whether no server answers, or a server with another token: the frame of the page says so, and the views stay as they are. */
  get isLost(): boolean {
    return this.status === 0 || this.status === 401;
  }
}

/** Ask an endpoint. Throws ApiError with a sentence for people. */
export async function ask<Answer>(endpoint: string, request: object = {}, signal?: AbortSignal): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`./api/${endpoint}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Astrolabe-Token": localStorage.getItem(STORED) ?? "" },
      body: JSON.stringify(request),
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("The console does not answer. Start it again with `astrolabe console`.", 0);
  }
  const text = await response.text();
  let answer: { error?: string };
  try {
    answer = JSON.parse(text);
  } catch {
    throw new ApiError("The console failed. Its terminal tells why.", response.status);
  }
  if (!response.ok) throw new ApiError(answer.error ?? "The console failed.", response.status);
  return answer as Answer;
}

export interface State {
  name: string;
  root: string;
  version: string;
  generation: number | null;
  percent: number | null;
  stage: string;
  budget: number;
}

export interface SymbolRow {
  id: string;
  name: string;
  qualifiedName: string;
  kind: string;
  path: string;
  startLine: number;
  endLine: number;
  signature: string;
  exported: boolean;
  importance: number;
}

export interface FileRow {
  path: string;
  language: string;
  lines: number;
  isTest: boolean;
  importance: number;
}
