import type { KnownSoftware } from "./known-software.ts"

export const celery: KnownSoftware = {
  name: "Celery",
  about: "Celery and Kombu: tasks of Python programs",
  keys: [
    "celery-task-meta-{task} string",
    "celery-taskset-meta-{group} string",
    "_kombu.binding.{exchange} set",
    "{queue} list",
    "unacked hash",
    "unacked_index zset",
    "unacked_mutex string",
  ],
  // Queues have no prefix: a message says that it is one.
  fields: { "{queue} list": ["body", "properties", "headers"] },
  signs: ["celery-task-meta-{task} string", "_kombu.binding.{exchange} set"],
  least: 1,
}
