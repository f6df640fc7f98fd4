import type { Job } from "keywright"
import * as z from "zod"
import { route, type RouteFor } from "../../platform/http/route.ts"
import type { NewsService } from "../services/live/news.ts"
import type { Loading } from "../services/loading.ts"
import type { PushCredentialsService } from "../services/push-credentials.ts"
import {
  Channel,
  Channels,
  ChannelType,
  Description,
  LastMessage,
  Name,
  Project,
  Service,
  User,
  Users,
} from "./fields.ts"

type Sweeper = Job<{ removed: number }>

const PEM = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n(?:[A-Za-z0-9+/=]+\r?\n)+-----END \1-----/
const Credentials = z
  .strictObject({
    googleServerKey: z
      .string()
      .regex(/^[\x21-\x7e]{1,4096}$/, { error: "is not a key" })
      .optional(),
    googleProjectNumber: z
      .string()
      .regex(/^\d{1,32}$/, { error: "has to be digits" })
      .optional(),
    apnsCertificate: z
      .string()
      .max(65_536)
      .refine((text) => PEM.test(text) && text.isWellFormed(), { error: "has to be PEM" })
      .optional(),
  })
  .refine((given) => Object.values(given).some((value) => value !== undefined), { error: "nothing to set" })
const Masked = z.object({
  googleServerKey: z.string().optional(),
  googleProjectNumber: z.string().optional(),
  apnsCertificate: z.string().optional(),
})
const place = { project: Project, service: Service }

export const administrationRoutes = (
  credentials: PushCredentialsService,
  loading: Loading,
  jobs: { readonly online: Sweeper; readonly tokens: Sweeper; readonly news: ReturnType<NewsService["teller"]> },
  forAdmin: RouteFor<void>,
) => [
  forAdmin("PUT /v1/projects/{p}/push-credentials", {
    summary: "Sets push credentials of a project; they are never shown again.",
    params: { p: Project },
    body: Credentials,
    answer: Masked,
    handle: ({ params, body }) => credentials.put(params.p, body),
  }),
  forAdmin("GET /v1/projects/{p}/push-credentials", {
    summary: "Which push credentials a project has, masked.",
    params: { p: Project },
    answer: Masked,
    handle: ({ params }) => credentials.masked(params.p),
  }),
  forAdmin("DELETE /v1/projects/{p}/push-credentials", {
    summary: "Removes all push credentials of a project.",
    params: { p: Project },
    handle: ({ params }) => credentials.remove(params.p),
  }),
  forAdmin("PUT /source/{project}/{service}/users/{id}", {
    summary: "Writes a user to the source: what is given replaces what is there.",
    params: { ...place, id: User },
    body: z.strictObject({
      contacts: Users.optional(),
      channels: Channels.optional(),
      bannedChannels: Channels.optional(),
      bannedSubscribers: Users.optional(),
    }),
    handle: ({ params: { id, ...scope }, body }) => loading.putUser(scope, id, body),
  }),
  forAdmin("PUT /source/{project}/{service}/channels/{id}", {
    summary: "Writes a channel to the source.",
    params: { ...place, id: Channel },
    body: z.strictObject({
      name: Name,
      description: Description,
      type: ChannelType,
      lastMessage: LastMessage.optional(),
      subscribers: Users,
      owners: Users,
      managers: Users,
      banned: Users.default([]),
    }),
    errors: [409],
    handle: ({ params: { id, ...scope }, body: { lastMessage, ...row } }) =>
      loading.putChannel(scope, id, { ...row, ...(lastMessage !== undefined && { lastMessage }) }),
  }),
  forAdmin("POST /jobs/online/run", {
    summary: "Removes ids from OnSub whose status is gone.",
    answer: z.object({ removed: z.int() }),
    handle: () => jobs.online.runOnce(),
  }),
  forAdmin("POST /jobs/tokens/run", {
    summary: "Removes fields from TokensKeys whose token is gone.",
    answer: z.object({ removed: z.int() }),
    handle: () => jobs.tokens.runOnce(),
  }),
  forAdmin("POST /jobs/news/run", {
    summary:
      "Announces events from before a crash, or from while Redis was unreachable; an event is announced by the second pass that finds it.",
    answer: z.object({ told: z.int() }),
    handle: async () => (await jobs.news.runOnce()) ?? { told: 0 },
  }),
  route("GET /v1/ping", {
    summary: "Whether the messenger is up.",
    answer: z.object({ status: z.literal("ok") }),
    withoutRedis: true,
    handle: () => ({ status: "ok" as const }),
  }),
]
