import { Clock, formatDate, type DateString, type Timestamped } from './utils'

export class UserRecord implements Timestamped {
  createdAt: DateString = formatDate(new Date())
  private clock: Clock = new Clock()

  renamed(): DateString {
    return formatDate(this.clock.now())
  }
}
