import * as utils from './utils'
import { UserRecord } from './user-service'

export function report(records: UserRecord[]): string[] {
  return records.map((record) => utils.formatDate(new Date(record.createdAt)))
}
