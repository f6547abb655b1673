import type { FastifyReply } from 'fastify'
import type { App, Service } from './service.ts'
import { NOBODY, type Turns, type Waiting } from './turns.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route of the API that takes turns, before its handler runs. */
    turn: Turn
  }
  interface FastifyContextConfig {
    /** Takes no turn: hashing passwords has a line of its own, and does not keep the database busy. */
    hashes?: boolean
  }
}

/** A turn that a request holds until its answer begins. */
export class Turn {
  readonly #turns: Turns
  readonly #school: string
  #isHeld = true

  constructor(turns: Turns, school: string) {
    this.#turns = turns
    this.#school = school
  }

  /** Ends the turn, unless that is done. */
  giveBack(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#turns.giveBack(this.#school)
  }

  /**
   * Reads a part of an answer: in this turn, or in another if this one has ended. A reader who takes the parts slowly thus
   * holds none; and an answer that has begun is never refused its next part.
   */
  async read<T>(part: () => Promise<T>): Promise<T> {
    if (this.#isHeld) return part()
    if (!this.#turns.take(this.#school)) {
      await new Promise<void>((begin) => this.#turns.wait(this.#school, begin))
    }
    return part().finally(() => this.#turns.giveBack(this.#school))
  }
}

/**
 * Lets the requests of the routes below take turns: their school's, from when the body is there until the answer begins.
 * For whom there is no place in the line, or no turn in time, is refused: 503.
 */
export function serveInTurn(api: App, service: Service): void {
  const { turns } = service
  api.addHook('preValidation', (request, reply, done) => {
    if (request.routeOptions.config.hashes) return done()
    const school = request.actor?.tenant.id ?? request.linked?.tenant.id ?? NOBODY
    const begin = () => {
      request.turn = new Turn(turns, school)
      done()
    }
    if (turns.take(school)) return begin()
    waitInLine(service, school, { reply, begin, refuse: done })
  })
  // Also the answer to a client that has left: until then its handler is at work.
  api.addHook('onSend', (request, _reply, payload, done) => {
    request.turn?.giveBack()
    done(null, payload)
  })
}

/** Runs work in a turn of the school, and of nothing else. Throws `unavailable` where there is none. */
export async function inTurnOf<T>(service: Service, school: string, work: () => Promise<T>): Promise<T> {
  if (!service.turns.take(school)) {
    await new Promise<void>((begin, refuse) => waitInLine(service, school, { begin, refuse }))
  }
  return work().finally(() => service.turns.giveBack(school))
}

type Wait = {
  /** Who leaves, leaves the line. */
  readonly reply?: FastifyReply
  readonly begin: Waiting
  readonly refuse: (problem: Error) => void
}

function waitInLine(
  { turns, shed, patience }: Service,
  school: string,
  { reply, begin, refuse }: Wait,
): void {
  if (turns.isFull(school)) {
    shed.refuseAtOnce(school, patience.turn, refuse)
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
    turns.leave(school, waiting)
  }
  const timer = setTimeout(() => {
    over()
    if (turns.leave(school, waiting)) refuse(shed.note(school))
  }, patience.turn)
  reply?.raw.once('close', leave)
  turns.wait(school, waiting)
}
