import { EventEmitter } from 'node:events'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { MAX_HELD, OpenResponses } from './open-responses.ts'
import { ShedRequests } from './shed-requests.ts'

const PATIENCE = { turn: 60_000, answer: 60_000, reader: 60_000 }
const STREAMS = 20

/** Opens a streamed response to a user of the school, by default the school's only user. */
function stream(answers: OpenResponses, school: string, user = school) {
  const raw = Object.assign(new EventEmitter(), { destroyed: false })
  const people = { actor: { tenant: { id: school } }, session: { user: { id: user } } }
  const request = { ...people, deadline: { isStopped: false } } as unknown as FastifyRequest
  const entered = answers.enter(request, { raw } as unknown as FastifyReply)
  const outcome = entered.then(
    () => 'begun',
    () => 'refused',
  )
  return { outcome, close: () => raw.emit('close') }
}

it('the waiting responses of one school leave room for those of another', async () => {
  const answers = new OpenResponses(new ShedRequests(fastify().log), PATIENCE)
  const greedy = Array.from({ length: STREAMS }, () => stream(answers, 'greedy'))
  expect(answers.bytes).toBe(MAX_HELD.user)
  expect(await greedy.at(-1)?.outcome).toBe('refused')
  const other = Array.from({ length: 5 }, () => stream(answers, 'other'))
  other[0]?.close()
  expect(await Promise.all(other.map(({ outcome }) => outcome))).toEqual(Array(5).fill('begun'))
  for (const { close } of [...greedy.toReversed(), ...other.slice(1)]) close()
  expect(answers.bytes).toBe(0)
})

it('the users of a school share its byte limit, and all schools share that of the process', async () => {
  const answers = new OpenResponses(new ShedRequests(fastify().log), PATIENCE)
  const ofOne = Array.from({ length: STREAMS }, (_, at) => stream(answers, 'greedy', `user ${at}`))
  expect(answers.bytes).toBe(MAX_HELD.school)
  const ofOthers = Array.from({ length: STREAMS }, (_, at) => stream(answers, `school ${at}`))
  expect(answers.bytes).toBe(MAX_HELD.process)
  for (const { close } of [...ofOne, ...ofOthers].toReversed()) close()
  expect(answers.bytes).toBe(0)
})
