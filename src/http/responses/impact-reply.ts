import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PagedImpact } from '../../booking/instructor-impact.ts'
import type { Impact } from '../../contract/impact.ts'
import { sendJson } from './entity-tag.ts'
import { begun } from './list-reply.ts'

/** Sends an impact, page by page if it has more than one. */
export async function sendImpact(
  request: FastifyRequest,
  reply: FastifyReply,
  { checked, pages }: PagedImpact,
): Promise<Impact | FastifyReply> {
  const [first] = pages
  if (pages.length < 2) return { checked, appointments: first ? await first() : [] }
  await request.server.openAnswers.enter(request, reply)
  return sendJson(reply, await begun(textOf({ checked, pages }, request)))
}

async function* textOf(
  { checked, pages }: PagedImpact,
  { turn, pieces }: FastifyRequest,
): AsyncGenerator<string> {
  let before = `{"checked":${checked},"appointments":[`
  for (const page of pages) {
    const hits = await turn.read(page)
    if (hits.length === 0) continue
    await pieces.rest()
    yield before + JSON.stringify(hits).slice(1, -1)
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`
}
