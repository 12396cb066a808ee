import { Role, Status, type Token, type User, type UserId } from "./types"

export class UserService {
  constructor(
    private readonly users: Map<UserId, User>,
    fallback: Role,
  ) {}

  find(id: UserId): User | undefined {
    return this.users.get(id)
  }

  get first(): User | undefined {
    return undefined
  }

  issue(user: User, status: Status = Status.Active): Promise<Token> {
    throw user
  }
}

export class Bare {
  label = ""
}

export function open(session: import("./types").Session): void {}
