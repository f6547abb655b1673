import type { FastifyReply, FastifyRequest } from 'fastify'
import { Pieces } from '../../booking/pieces.ts'
import { refreshTokenOf } from '../requests/access-cookie.ts'
import { clientNetwork } from '../requests/client-network.ts'
import type { App, Service } from '../service.ts'
import { type Asker, type FairQueue, strangerFrom, type Waiting } from './fair-queue.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route of the API that takes turns, before its handler runs. */
    turn: Turn
    /** The pieces of long computations for this request; they end when its answer is sent or its client has left. */
    pieces: Pieces
  }
  interface FastifyContextConfig {
    /** Takes no turn: it does not ask the database, or hashes a password, for which there is a line of its own. */
    needsNoTurn?: boolean
  }
}

/** Throws if a request may not be answered any further; `isFirst` until its answer begins. */
export type Check = (isFirst: boolean) => Promise<void>

/** A turn that a request holds until its answer begins. */
export class Turn {
  readonly #turns: FairQueue
  readonly #asker: Asker
  readonly #check: Check
  #isHeld = true

  constructor(turns: FairQueue, asker: Asker, check: Check) {
    this.#turns = turns
    this.#asker = asker
    this.#check = check
  }

  /** Ends the turn, unless that is done. */
  giveBack(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#turns.giveBack(this.#asker)
  }

  /**
   * Reads a part of an answer: in this turn, or in another if this one has ended. A reader who takes the parts slowly thus
   * holds none; and an answer that has begun is refused its next part only if the reader may not read on: the session or the
   * link has ended.
   */
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
 * Lets the requests of the routes below take turns: their school's, from when the body is there until the answer begins.
 * For whom there is no place in the line, or no turn in time, is refused: 503.
 */
export function queueRequests(
  api: App,
  service: Service,
  checkFor: (request: FastifyRequest) => Check,
): void {
  const { turns } = service
  api.addHook('preValidation', (request, reply, done) => {
    if (request.routeOptions.config.needsNoTurn) return done()
    const asker = askerOf(request, service)
    const begin = () => {
      request.turn = new Turn(turns, asker, checkFor(request))
      request.pieces = new Pieces(() => !reply.sent && !reply.raw.destroyed)
      done()
    }
    if (turns.take(asker)) return begin()
    waitInLine(service, asker, { reply, begin, refuse: done })
  })
  // Also the answer to a client that has left: until then its handler is at work.
  api.addHook('onSend', (request, _reply, payload, done) => {
    request.turn?.giveBack()
    done(null, payload)
  })
}

/**
 * The school of the session, of the link, or of a refresh token that was made here, whatever has become of the token: so
 * strangers cannot keep sessions from being refreshed. All others are strangers from their network.
 */
function askerOf(request: FastifyRequest, { refreshSecrets }: Service): Asker {
  const tenant = request.actor?.tenant ?? request.linked?.tenant
  const school = tenant?.id ?? refreshSecrets.tenantOf(refreshTokenOf(request) ?? '')
  return school === undefined ? strangerFrom(clientNetwork(request)) : { school }
}

/** Runs work in a turn of the school, and of nothing else. Throws `unavailable` where there is none. */
export async function inQueueOf<T>(service: Service, asker: Asker, work: () => Promise<T>): Promise<T> {
  if (!service.turns.take(asker)) {
    await new Promise<void>((begin, refuse) => waitInLine(service, asker, { begin, refuse }))
  }
  return work().finally(() => service.turns.giveBack(asker))
}

type Wait = {
  /** The response: when its connection closes, the request leaves the line. */
  readonly reply?: FastifyReply
  readonly begin: Waiting
  readonly refuse: (problem: Error) => void
}

function waitInLine({ turns, shed, patience }: Service, asker: Asker, { reply, begin, refuse }: Wait): void {
  if (turns.isFull(asker)) {
    shed.refuseAtOnce(asker.school, patience.turn, refuse)
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
    if (turns.leave(asker, waiting)) refuse(shed.note(asker.school))
  }, patience.turn)
  reply?.raw.once('close', leave)
  turns.wait(asker, waiting)
}
