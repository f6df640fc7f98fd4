/* The messenger, put together: schema → services → jobs → http. */

import { document } from "./document.ts"
import { system } from "../platform/system.ts"
import { auditRules } from "./audit-rules.ts"
import { administrationRoutes } from "./http/administration.ts"
import { channelRoutes } from "./http/channels.ts"
import { contactRoutes } from "./http/contacts.ts"
import { eventRoutes } from "./http/events.ts"
import { inviteRoutes } from "./http/invites.ts"
import { messageRoutes } from "./http/messages.ts"
import { presenceRoutes } from "./http/presence.ts"
import { forTokens } from "./http/token-auth.ts"
import { tokenRoutes } from "./http/tokens.ts"
import { sweepers } from "./jobs/sweepers.ts"
import { bounds } from "./services/bounds.ts"
import { caches } from "./services/caches.ts"
import { channels } from "./services/channels.ts"
import { contactLists } from "./services/contact-lists.ts"
import { contacts } from "./services/contacts.ts"
import { openHomes } from "./services/homes.ts"
import { invites } from "./services/invites.ts"
import { audiences } from "./services/live/audience.ts"
import { liveStreams } from "./services/live/live.ts"
import { newsOf } from "./services/live/news.ts"
import { relayOf } from "./services/live/relay.ts"
import { loading } from "./services/loading.ts"
import { messages } from "./services/messages.ts"
import { presence } from "./services/presence.ts"
import { pushCredentials } from "./services/push-credentials.ts"
import { tokens } from "./services/tokens.ts"
import { acceptSplit, messagingSchema } from "./schema.ts"
import { settings } from "./settings.ts"
import { createTables, type MessagingTables } from "./tables.ts"

export const messagingSystem = system<MessagingTables>()({
  name: "messaging",
  doc: "A multi-tenant messenger: who is online, who may write to whom, channels and tokens, cached from a relational source.",
  databases: [11],
  document,
  settings,
  schema: messagingSchema,
  acceptSplit,
  rules: auditRules,
  tables: createTables,

  async start(given) {
    const context = { ...given, homes: await openHomes(given) }
    const { forAdmin, metrics, redis } = context
    const lists = contactLists(context)
    const cache = caches(context, lists)
    const relay = relayOf(context)
    const news = newsOf(context, relay)
    const token = tokens(context, relay)
    const present = presence(context, lists, relay)
    const most = bounds(context)
    const people = contacts(context, cache, lists, news, most)
    const channel = channels(context, cache, news, most)
    const invite = invites(context, cache, channel, news, most)
    const message = messages(context, { cache, lists, present, news, relay })
    const live = liveStreams(context, audiences(context, cache, lists))
    const sweeping = { ...sweepers(context, present, token), news: news.teller() }
    const callers = forTokens(token, redis)

    metrics.gauge("messaging_tokens", "Tokens in the map, including those that have just expired.", () => token.count())

    return {
      routes: [
        ...tokenRoutes(token, callers, forAdmin, context.addressOf),
        ...presenceRoutes(present, callers),
        ...contactRoutes(people, callers),
        ...channelRoutes(channel, callers),
        ...inviteRoutes(invite, callers),
        ...messageRoutes(message, callers),
        ...eventRoutes(live, callers),
        ...administrationRoutes(pushCredentials(context), loading(context, cache), sweeping, forAdmin),
      ],
      jobs: [sweeping.online, sweeping.tokens, sweeping.news],
      closing: live.close,
      async stop() {
        await live.stop()
        await news.stop()
      },
    }
  },

  async demo(given) {
    const context = { ...given, homes: await openHomes(given) }
    const load = loading(context, caches(context, contactLists(context)))
    const scope = { project: "456", service: "roc" }
    await load.putUser(scope, "1", { contacts: ["2", "3"], channels: ["123456"] })
    await load.putUser(scope, "2", { contacts: ["1"], channels: ["123456"] })
    await load.putChannel(scope, "123456", {
      name: "News",
      description: "New events.",
      type: "private",
      subscribers: ["1", "2", "3", "4"],
      owners: ["1"],
      managers: ["1", "4"],
      banned: ["9", "10"],
    })
  },
})
