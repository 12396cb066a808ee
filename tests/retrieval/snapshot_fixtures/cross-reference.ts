import { sign, verify } from './signatures';
import { Clock } from './clock';
import { Store } from './store';

const LIFETIME_MS = 3_600_000;
const PREFIX = 'session';

export class Sessions {
  private store: Store;
  private clock: Clock;
  private secret: string;

  constructor(store: Store, clock: Clock, secret: string) {
    this.store = store;
    this.clock = clock;
    this.secret = secret;
  }

  async renew(token: string): Promise<string> {
    const user = await this.userOf(token);
    const expires = this.clock.now() + LIFETIME_MS;
    return sign({ user, expires }, this.secret);
  }

  async userOf(token: string): Promise<string> {
    const { user } = verify(token, this.secret);
    const known = await this.store.has(`${PREFIX}:${user}`);
    if (!known) throw new Error('unknown session');
    return user;
  }

  async end(user: string): Promise<void> {
    await this.store.delete(`${PREFIX}:${user}`);
  }
}
