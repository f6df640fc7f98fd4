/** `npm run test:full`: the counts that are promised, on every engine and every driver. */
export const isFull = process.env["KEYWRIGHT_FULL"] === "1"
