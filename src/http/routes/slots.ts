import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { findSlots } from '../../booking/lessons/find-slots.ts'
import type { Actor } from '../../contract/actor.ts'
import { type Assumed, assumedFaultsFor, SlotSearchSchema } from '../../contract/assumed.ts'
import { ref } from '../../contract/fields.ts'
import { SlotSchema } from '../../contract/slot.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { WORST_FIT } from '../../domain/slots.ts'
import { localNow } from '../../domain/time-zone.ts'
import { operation } from '../operation.ts'
import { cursorFault, cursorValues } from '../requests/cursor.ts'
import { SlotQuerySchema, slotQueryOf } from '../requests/slot-query.ts'
import { sendPage } from '../responses/list-reply.ts'
import { BODY, readable, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

/** The values of a page's last slot in a cursor. */
const ORDERED_BY = ['fit', 'start_at', 'id']

export function slotRoutes(app: App, { db }: Service): void {
  app.get(
    '/slots',
    operation('appointments', {
      permission: 'book',
      operationId: 'findSlots',
      summary: 'Search for times that booking accepts',
      description:
        'Use it to offer free times. Nothing is reserved: the rules accepted each slot for the calendars at that moment, and booking checks them again.',
      returns: 'The slots, or a page of them.',
      querystring: SlotQuerySchema,
      response: readable(Type.Array(ref(SlotSchema)), 401, 403, 404),
    }),
    async (request, reply) => sendPage(request, reply, await pageOf(db, request, undefined)),
  )
  app.post(
    '/slots/search',
    operation('appointments', {
      permission: 'book',
      reads: true,
      faultsFor: assumedFaultsFor,
      operationId: 'searchSlots',
      summary: 'Search for times that booking accepts both now and after unsaved changes',
      description:
        "Takes the parameters of `GET /slots`, and instructors' changes in the body. A slot must fit the stored rules and the changed ones; nothing is written.",
      returns: 'The slots, or a page of them.',
      querystring: SlotQuerySchema,
      body: ref(SlotSearchSchema),
      sends: ['ETag'],
      response: responses({ 200: Type.Array(ref(SlotSchema)) }, 401, 403, 404, ...BODY),
    }),
    async (request, reply) => sendPage(request, reply, await pageOf(db, request, request.body.assumed)),
  )
}

type Asking = Pick<FastifyRequest, 'slicer'> & {
  readonly actor: Actor
  readonly query: Static<typeof SlotQuerySchema>
}

async function pageOf(db: DatabasePool, { actor, query, slicer }: Asking, assumed: Assumed | undefined) {
  const { limit, ...asked } = slotQueryOf(query, localNow(actor.now, actor.tenant.timezone))
  const position = { after: markIn(query.cursor), limit, slicer }
  const { slots, last } = await findSlots(db, actor, { ...asked, assumed }, position)
  return {
    json: JSON.stringify(slots),
    last: last && { ...last, id: last.instructor_id },
    orderedBy: ORDERED_BY,
  }
}

function markIn(cursor: string | undefined) {
  if (cursor === undefined) return undefined
  const [fit, start_at = '', instructor_id = ''] = cursorValues(cursor, ORDERED_BY)
  if (!isFit(fit)) throw cursorFault('is not one of ours')
  return { fit: Number(fit), start_at, instructor_id }
}

function isFit(text: string | undefined): boolean {
  return text !== undefined && text >= '0' && text <= String(WORST_FIT) && text.length === 1
}
