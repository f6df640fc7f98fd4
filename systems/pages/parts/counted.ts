/** "1 item", "2 items" */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`
