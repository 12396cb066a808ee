import { key } from "../../shared/src/keys"
export const main = key({ id: "1" })
