import type { FastifyReply, FastifyRequest } from 'fastify'
import { TimeSlicer } from '../../booking/time-slicer.ts'
import { refreshTokenOf } from '../requests/access-cookie.ts'
import { clientNetwork } from '../requests/client-network.ts'
import type { App, Service } from '../service.ts'
import { type FairQueue, type RequestOrigin, strangerFrom, type Waiting } from './fair-queue.ts'

declare module 'fastify' {
  interface FastifyRequest {
    turn: Turn
    /** Slices the request's long computations, which end when the response is sent or the client leaves. */
    slicer: TimeSlicer
  }
  interface FastifyContextConfig {
    /** Whether the route needs no turn: it uses no database, or hashes a password, which has its own queue. */
    needsNoTurn?: boolean
  }
}

/** A check that throws if the request's session or link has ended. `isFirst` is true until the response begins. */
export type RequestCheck = (isFirst: boolean) => Promise<void>

export class Turn {
  readonly #turns: FairQueue
  readonly #asker: RequestOrigin
  readonly #check: RequestCheck
  #isHeld = true

  constructor(turns: FairQueue, asker: RequestOrigin, check: RequestCheck) {
    this.#turns = turns
    this.#asker = asker
    this.#check = check
  }

  giveBack(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#turns.giveBack(this.#asker)
  }

  /** Runs work in the request's turn, even after its response begins. Throws if the session or link has ended. */
  async keep<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isHeld) return this.read(work)
    this.#isHeld = false
    return this.#check(true)
      .then(work)
      .finally(() => this.#turns.giveBack(this.#asker))
  }

  /** Reads a part of a response in a turn of its own, so that slow clients hold none. Throws if the session or link has ended. */
  async read<T>(part: () => Promise<T>): Promise<T> {
    if (this.#isHeld) return this.#check(true).then(part)
    if (!this.#turns.take(this.#asker)) {
      await new Promise<void>((begin) => this.#turns.wait(this.#asker, begin))
    }
    return this.#check(false)
      .then(part)
      .finally(() => this.#turns.giveBack(this.#asker))
  }
}

/**
 * Queues requests in their school's line. A turn lasts from the arrival of the body to the start of the response. 503 if the
 * line is full or no turn comes free in time.
 */
export function queueRequests(
  api: App,
  service: Service,
  checkFor: (request: FastifyRequest) => RequestCheck,
): void {
  const { turns } = service
  api.addHook('preValidation', (request, reply, done) => {
    if (request.routeOptions.config.needsNoTurn) return done()
    const asker = askerOf(request, service)
    const begin = () => {
      request.turn = new Turn(turns, asker, checkFor(request))
      request.slicer = new TimeSlicer(() => !reply.sent && !reply.raw.destroyed)
      done()
    }
    if (turns.take(asker)) return begin()
    waitInLine(service, asker, { reply, begin, refuse: done })
  })
  // Also runs if the client has left, because its handler runs to the end.
  api.addHook('onSend', (request, _reply, payload, done) => {
    request.turn?.giveBack()
    done(null, payload)
  })
}

/** Returns the school of the session, the link or a sealed refresh token; otherwise the client's network. */
function askerOf(request: FastifyRequest, { refreshSecrets }: Service): RequestOrigin {
  const tenant = request.actor?.tenant ?? request.linked?.tenant
  const school = tenant?.id ?? refreshSecrets.tenantOf(refreshTokenOf(request) ?? '')
  return school === undefined ? strangerFrom(clientNetwork(request)) : { school }
}

/** Runs work in a turn of the school. Throws `unavailable` if none comes free. */
export async function inQueueOf<T>(
  service: Service,
  asker: RequestOrigin,
  work: () => Promise<T>,
): Promise<T> {
  if (!service.turns.take(asker)) {
    await new Promise<void>((begin, refuse) => waitInLine(service, asker, { begin, refuse }))
  }
  return work().finally(() => service.turns.giveBack(asker))
}

type Wait = {
  /** The response whose connection, if closed, ends the wait. */
  readonly reply?: FastifyReply
  readonly begin: Waiting
  readonly refuse: (problem: Error) => void
}

function waitInLine(
  { turns, shed, timeouts }: Service,
  asker: RequestOrigin,
  { reply, begin, refuse }: Wait,
): void {
  if (turns.isFull(asker)) {
    shed.refuseAtOnce(asker.school, timeouts.turn, refuse)
    return
  }
  const over = () => {
    clearTimeout(timer)
    reply?.raw.off('close', leave)
  }
  const waiting = () => {
    over()
    begin()
  }
  const leave = () => {
    clearTimeout(timer)
    turns.leave(asker, waiting)
  }
  const timer = setTimeout(() => {
    over()
    if (turns.leave(asker, waiting)) refuse(shed.record(asker.school))
  }, timeouts.turn)
  reply?.raw.once('close', leave)
  turns.wait(asker, waiting)
}
