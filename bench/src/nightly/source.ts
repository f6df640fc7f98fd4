/* A source for the nightly run: as many posts and reactions as are asked for, in the
 * tables that the recommender has made. The same every time. */

import Database from "libsql"

export interface Sizes {
  readonly challenges: number
  readonly users: number
  readonly posts: number
  readonly reactions: number
}

const START = Date.UTC(2024, 0, 1)

export function fillSource(file: string, { challenges, users, posts, reactions }: Sizes): void {
  const db = new Database(file)
  const insert = (table: string, columns: string, count: number, row: (id: number) => readonly (number | string)[]) => {
    const places = columns.split(", ").map(() => "?")
    const statement = db.prepare(`insert into recommender_${table} (${columns}) values (${places.join(", ")})`)
    for (let id = 1; id <= count; id++) statement.run(...row(id))
  }
  db.exec("begin")
  insert("clg", "id, category, is_public, duration, created", challenges, (id) => [id, id % 5, 1, 365, START])
  insert("post", 'id, challenge, "user", text, created', posts, (id) => [
    id,
    1 + ((id * 7) % challenges),
    1 + ((id * 13) % users),
    "I ran 5 km.",
    START + (id % 24) * 3_600_000,
  ])
  insert("reaction", 'id, post, "user"', reactions, (id) => [
    id,
    1 + ((id * 31) % posts),
    1 + ((id * 17 + (id >> 7)) % users),
  ])
  db.exec("commit")
  db.close()
}
