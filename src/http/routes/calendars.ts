import { Type } from 'typebox'
import { ownOf } from '../../auth/permissions.ts'
import { shareLink, unshareLink } from '../../booking/users/share-link.ts'
import type { Actor } from '../../contract/actor.ts'
import { ref } from '../../contract/fields.ts'
import { CalendarFeedStateSchema, MadeLinkSchema, NewCalendarFeedSchema } from '../../contract/link.ts'
import { notFound } from '../../contract/problem.ts'
import { requireInstructor } from '../../db/school/instructors.ts'
import { findLink, type LinkHolder } from '../../db/students/links.ts'
import { operation } from '../operation.ts'
import { sendFeed } from '../pages/instructor-feed.ts'
import { idempotencyKey, sendLink } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { serviceUrl } from '../requests/public-url.ts'
import { sendWhole } from '../responses/list-reply.ts'
import { BODY, noContent, readable, responses, sendNoContent } from '../responses/responses.ts'
import { API_PREFIX, type App, type Service } from '../service.ts'

const params = pathId('instructor')

export function calendarRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/instructors/:id/calendar-feed',
    operation('links', {
      permission: 'share_a_calendar',
      operationId: 'getCalendarFeed',
      summary: 'Read whether the instructor has a calendar feed, since when, and when it was last fetched',
      description:
        'Instructors can read their own feed. The address itself is never shown again; create a new feed if it is lost.',
      returns: 'The feed, or null.',
      params,
      response: readable(ref(CalendarFeedStateSchema), 401, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const holder = feedOf(actor, params.id)
      await requireInstructor(db, actor.tenant.id, params.id)
      const link = await findLink(db, actor.tenant.id, holder)
      const feed = link && { detail: link.detail, created_at: link.created_at, used_at: link.used_at }
      return sendWhole(request, reply, JSON.stringify({ feed: feed ?? null }))
    },
  )

  app.post(
    '/instructors/:id/calendar-feed',
    operation('links', {
      compress: false,
      permission: 'share_a_calendar',
      operationId: 'makeCalendarFeed',
      summary: 'Create a calendar feed; an earlier one ends',
      description:
        'Subscribe to the address in a calendar program. Anyone who has the address can read the feed.',
      returns:
        'The secret address of the feed, shown only once, and to a retry with the same `Idempotency-Key`.',
      params,
      body: ref(NewCalendarFeedSchema),
      headers: idempotencyKey,
      response: responses({ 200: ref(MadeLinkSchema) }, 401, 404, 409, 422, ...BODY),
    }),
    async ({ actor, params, body: { detail } }, reply) => {
      const urlOf = (token: string) => `${serviceUrl(app, service)}${API_PREFIX}/calendars/${token}.ics`
      const { linkSeals: seals } = service
      const holder = feedOf(actor, params.id)
      return sendLink(service, reply, (key) =>
        shareLink(service.db, actor, holder, { detail, urlOf, seals, key }),
      )
    },
  )

  app.delete(
    '/instructors/:id/calendar-feed',
    operation('links', {
      permission: 'share_a_calendar',
      operationId: 'endCalendarFeed',
      summary: 'End the calendar feed, if there is one',
      description: 'The address stops working at once. Without a feed nothing changes.',
      params,
      response: responses({ 204: noContent('There is no feed') }, 401, 404, ...BODY),
    }),
    async ({ actor, params }, reply) =>
      sendNoContent(reply, unshareLink(db, actor, feedOf(actor, params.id))),
  )

  app.get(
    '/calendars/:token.ics',
    operation('links', {
      open: true,
      link: 'feed',
      operationId: 'readCalendarFeed',
      summary: 'Read the calendar (RFC 5545), from 30 days back to 12 months ahead',
      description:
        'For calendar programs: the token in the address is the only credential. Unknown query parameters are ignored.',
      params: Type.Object({
        token: Type.String({
          description: 'The secret of the address that `POST /instructors/{id}/calendar-feed` returned.',
        }),
      }),
      // Any parameter, because calendar apps add some to the address.
      querystring: Type.Object({}),
      response: readable(calendarText, 404, 429),
    }),
    async (request, reply) => sendFeed(request, reply, service),
  )
}

/** Returns the holder of an instructor's feed. Throws `not_found` if the actor is another instructor. */
function feedOf(actor: Actor, id: string): LinkHolder {
  const { own = id } = ownOf(actor)
  if (own !== id) throw notFound()
  return { kind: 'calendar_feed', id }
}

const calendarText = Type.Unsafe<string>({
  description: "The calendar as iCalendar text (RFC 5545), in the school's time zone.",
  content: { 'text/calendar': { schema: { type: 'string' } } },
})
