export { KeywrightError, SchemaError } from "./errors/error.ts"
