import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientNetwork } from '../requests/client-network.ts'
import type { Timeouts } from '../service.ts'
import type { ShedRequests } from './shed-requests.ts'

declare module 'fastify' {
  interface FastifyInstance {
    openResponses: OpenResponses
  }
}

const MEGABYTE = 1024 * 1024

/** The most bytes of responses that clients are reading, and of responses waiting for room: in total, per school, per user. */
export const MAX_HELD = {
  process: 32 * MEGABYTE,
  school: 12 * MEGABYTE,
  user: 8 * MEGABYTE,
  waiting: 32 * MEGABYTE,
  waitingOfSchool: 12 * MEGABYTE,
}

/** The bytes counted for a stream: part of a list, its compressor, and buffers. */
export const STREAM_BYTES = 2 * MEGABYTE

/** The owner and bytes of a response. A link, or a network without login, counts as a user. */
type Held = { readonly school: string; readonly user: string; readonly bytes: number }

type Waiting = Held & { readonly begin: () => void }

/**
 * Limits the unread bytes of long responses by user, school and process. A response above a limit waits until others have been
 * read, and is rejected after a timeout. A single response of any size is always allowed.
 */
export class OpenResponses {
  readonly #shed: ShedRequests
  readonly #timeouts: Timeouts
  readonly #held = new Map<string, number>()
  readonly #waiting = new Set<Waiting>()
  readonly #entered = new WeakSet<FastifyReply>()
  #all = 0

  constructor(shed: ShedRequests, timeouts: Timeouts) {
    this.#shed = shed
    this.#timeouts = timeouts
  }

  get bytes(): number {
    return this.#all
  }

  /** Waits until user and school have room; call it before reading from the database. Throws `unavailable`. */
  async requireRoom(request: FastifyRequest, reply: FastifyReply, bytes = STREAM_BYTES): Promise<void> {
    if (!this.#hasOwnRoom(heldFor(request, bytes))) await this.enter(request, reply, bytes)
  }

  /**
   * Counts a response until it is over. Gives the request's turn back to wait for room. Throws `unavailable` if there is none,
   * but never after the request has committed.
   */
  async enter(request: FastifyRequest, reply: FastifyReply, bytes = STREAM_BYTES): Promise<void> {
    if (this.#entered.has(reply)) return
    this.#entered.add(reply)
    const held = heldFor(request, bytes)
    if (this.#hasRoom(held) || request.deadline.isStopped) this.#add(held, bytes)
    else {
      request.turn?.giveBack()
      await this.#wait(held, reply)
    }
    if (reply.raw.destroyed) this.#remove(held)
    else reply.raw.once('close', () => this.#remove(held))
  }

  #wait(held: Held, reply: FastifyReply): Promise<void> {
    return new Promise((begin, refuse) => {
      if (!this.#mayWait(held)) return refuse(this.#shed.record(held.school))
      const leave = () => {
        clearTimeout(timer)
        reply.raw.off('close', giveUp)
        this.#waiting.delete(waiting)
      }
      const giveUp = () => {
        leave()
        refuse(this.#shed.record(held.school))
      }
      const waiting = {
        ...held,
        begin: () => {
          leave()
          this.#add(held, held.bytes)
          begin()
        },
      }
      const timer = setTimeout(giveUp, this.#timeouts.turn)
      reply.raw.once('close', giveUp)
      this.#waiting.add(waiting)
    })
  }

  #mayWait({ school, bytes }: Held): boolean {
    const waiting = [...this.#waiting]
    const own = waiting.filter((one) => one.school === school)
    return sumOf(waiting) + bytes <= MAX_HELD.waiting && sumOf(own) + bytes <= MAX_HELD.waitingOfSchool
  }

  #hasRoom(held: Held): boolean {
    return isWithin(this.#all, held.bytes, MAX_HELD.process) && this.#hasOwnRoom(held)
  }

  #hasOwnRoom({ school, user, bytes }: Held): boolean {
    return (
      isWithin(this.#held.get(school) ?? 0, bytes, MAX_HELD.school) &&
      isWithin(this.#held.get(user) ?? 0, bytes, MAX_HELD.user)
    )
  }

  #add({ school, user }: Held, bytes: number): void {
    this.#all += bytes
    for (const key of [school, user]) {
      const held = (this.#held.get(key) ?? 0) + bytes
      if (held === 0) this.#held.delete(key)
      else this.#held.set(key, held)
    }
  }

  #remove(held: Held): void {
    this.#add(held, -held.bytes)
    for (const waiting of this.#waiting) if (this.#hasRoom(waiting)) waiting.begin()
  }
}

function sumOf(responses: readonly Held[]): number {
  return responses.reduce((sum, { bytes }) => sum + bytes, 0)
}

function isWithin(held: number, more: number, most: number): boolean {
  return held === 0 || held + more <= most
}

function heldFor(request: FastifyRequest, bytes: number): Held {
  const { actor, linked } = request
  const tenant = actor?.tenant ?? linked?.tenant
  const user = request.session?.user.id ?? (linked?.feed ?? linked?.page)?.id ?? clientNetwork(request)
  return { school: tenant?.id ?? 'no school', user: `user ${user}`, bytes }
}
