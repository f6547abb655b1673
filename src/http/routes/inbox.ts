import { Type } from 'typebox'
import { markInbox, readInbox } from '../../booking/school/inbox.ts'
import { closed, ref } from '../../contract/fields.ts'
import { InboxCountSchema, InboxMarkSchema, InboxSchema } from '../../contract/inbox.ts'
import { operation } from '../operation.ts'
import { cursorValues } from '../requests/cursor.ts'
import { pageParameters, sendPage } from '../responses/list-reply.ts'
import { BODY, readable, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const ORDERED_BY = ['at', 'id']
const A_PAGE = 50

const limit = Type.Optional(
  Type.String({
    pattern: '^([1-9][0-9]?|1[0-9]{2}|200)$',
    'x-published': { type: 'integer', minimum: 1, maximum: 200 },
    description: `The maximum number of entries per page, 1–200, by default ${A_PAGE}; the header \`Link\` leads to the next page.`,
  }),
)
const cursor = Type.Optional(
  Type.String({
    ...pageParameters.cursor,
    description: 'The position after the page before: take it from the `Link` of that page.',
  }),
)

export function inboxRoutes(app: App, { db }: Service): void {
  app.get(
    '/inbox',
    operation('inbox', {
      permission: 'look',
      operationId: 'readInbox',
      summary: 'List the news from students, instructors and undelivered messages, newest first',
      description:
        'Use it for the news since the user last looked, with what to do, and for the figure of a badge: poll it with `If-None-Match`. Computed from the log of changes and the messages of 30 days; instructors get the news of their own lessons and students.',
      returns: 'A page of the news, and the number of new ones.',
      querystring: closed({ limit, cursor }),
      response: readable(ref(InboxSchema), 401, 403),
    }),
    async (request, reply) => {
      const { actor, query, turn } = request
      const [after_at, after_id] = query.cursor === undefined ? [] : cursorValues(query.cursor, ORDERED_BY)
      const bounds = { after_at, after_id, limit: Number(query.limit ?? A_PAGE) }
      const { last, ...inbox } = await turn.read(() => readInbox(db, actor, bounds))
      return sendPage(request, reply, { json: JSON.stringify(inbox), last, orderedBy: ORDERED_BY })
    },
  )

  app.post(
    '/inbox/seen',
    operation('inbox', {
      permission: 'look',
      operationId: 'markInbox',
      summary: 'Mark the news as seen up to a time',
      description:
        'Send the `at` of the newest entry that the user has seen. Each user has a place of their own; an earlier time than before changes nothing.',
      returns: 'The number of entries that are still new.',
      body: ref(InboxMarkSchema),
      response: responses({ 200: ref(InboxCountSchema) }, 401, 403, ...BODY),
    }),
    async ({ actor, body }) => markInbox(db, actor, body.until),
  )
}
