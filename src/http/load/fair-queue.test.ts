import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Bounds, boundsFor, FairQueue, type RequestOrigin, strangerFrom } from './fair-queue.ts'

const BOUNDS: Bounds = { running: 5, runningOfOne: 2, waitingOfOne: 3, waitingOfNetwork: 2 }

/** A request as the service handles it: it takes a turn, waits, or finds the queue full. */
type QueuedRequest = {
  readonly asker: RequestOrigin
  state: 'waiting' | 'running' | 'refused' | 'left' | 'over'
}

const nameOf = ({ school, network }: RequestOrigin) => network ?? school

/** A fair queue, its requests, and the order in which they were served. */
class Crowd {
  now = 0
  readonly turns = new FairQueue(BOUNDS, () => this.now)
  readonly asked: QueuedRequest[] = []
  readonly served: string[] = []
  readonly #calls = new Map<QueuedRequest, () => void>()

  ask(who: string | RequestOrigin): QueuedRequest {
    const asker = typeof who === 'string' ? { school: who } : who
    const one: QueuedRequest = { asker, state: 'waiting' }
    this.asked.push(one)
    const begin = () => {
      one.state = 'running'
      this.served.push(nameOf(asker))
    }
    this.#calls.set(one, begin)
    if (this.turns.take(asker)) begin()
    else if (this.turns.isFull(asker)) one.state = 'refused'
    else this.turns.wait(asker, begin)
    return one
  }

  /** Serves requests of two schools, so that no school counts as alone. */
  async meet(): Promise<this> {
    for (const school of ['one', 'another']) await this.finish(this.ask(school))
    this.served.splice(0)
    return this
  }

  leave(one: QueuedRequest): void {
    const begin = this.#calls.get(one)
    if (!begin || !this.turns.leave(one.asker, begin)) throw new Error('it has its turn already')
    one.state = 'left'
  }

  finish(one: QueuedRequest): Promise<void> {
    one.state = 'over'
    this.turns.giveBack(one.asker)
    return setImmediate()
  }

  in(state: QueuedRequest['state'], school?: string): readonly QueuedRequest[] {
    return this.asked.filter(
      (one) => one.state === state && (school ?? one.asker.school) === one.asker.school,
    )
  }
}

describe('the turns of the fair queue', () => {
  it('are granted immediately while any are free, to one school only up to its share', async () => {
    const crowd = await new Crowd().meet()
    const states = ['a', 'a', 'a', 'b', 'c', 'd', 'e'].map((school) => crowd.ask(school).state)
    expect(states).toEqual(['running', 'running', 'waiting', 'running', 'running', 'running', 'waiting'])
  })

  it('let a school that has been alone for 1 second use all but the share of another', () => {
    const crowd = new Crowd()
    const alone = ['a', 'a', 'a', 'a', 'a'].map((school) => crowd.ask(school).state)
    expect(alone).toEqual(['running', 'running', 'running', 'waiting', 'waiting'])
    expect(['b', 'b'].map((school) => crowd.ask(school).state)).toEqual(['running', 'running'])
    const other = new Crowd()
    for (const school of ['b', 'a', 'a']) other.ask(school)
    other.now = 999
    expect(other.ask('a').state).toBe('waiting')
    other.now = 1000
    for (const one of other.in('running', 'b')) void other.finish(one)
    expect(other.turns.running).toBe(3)
  })

  it('let a lone school keep its larger share beside requests without a school', () => {
    const crowd = new Crowd()
    const states = ['a', strangerFrom('n'), 'a', 'a', 'a'].map((school) => crowd.ask(school).state)
    expect(states).toEqual(['running', 'running', 'running', 'running', 'waiting'])
  })

  it('go to the school with the fewest turns, then to the one that has waited longest', async () => {
    const crowd = new Crowd()
    const [, ...running] = ['a', 'a', 'b', 'b', 'e'].map((school) => crowd.ask(school))
    for (const school of ['a', 'a', 'b', 'c', 'd', 'c']) crowd.ask(school)
    crowd.served.splice(0)
    for (const one of running) await crowd.finish(one)
    expect(crowd.served).toEqual(['c', 'd', 'b', 'a'])
  })

  it("are denied if the school's line is full, without affecting other schools (S93)", async () => {
    const crowd = await new Crowd().meet()
    const noisy = Array.from({ length: 7 }, () => crowd.ask('noisy').state)
    expect(noisy.slice(2)).toEqual(['waiting', 'waiting', 'waiting', 'refused', 'refused'])
    expect(crowd.ask('quiet').state).toBe('running')
  })

  it('alternate between networks for requests without a school, with at most two waiting each', async () => {
    const crowd = await new Crowd().meet()
    const flood = Array.from({ length: 6 }, () => crowd.ask(strangerFrom('flood')).state)
    expect(flood).toEqual(['running', 'running', 'waiting', 'waiting', 'refused', 'refused'])
    const others = ['b', 'c', 'b'].map((network) => crowd.ask(strangerFrom(network)))
    expect(others.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting'])
    crowd.served.splice(0)
    for (let [busy] = crowd.in('running'); busy; [busy] = crowd.in('running')) await crowd.finish(busy)
    expect(crowd.served).toEqual(['flood', 'b', 'c', 'flood', 'b'])
    expect([crowd.turns.running, crowd.turns.waiting]).toEqual([0, 0])
  })

  it('skip requests that have left the queue', async () => {
    const crowd = await new Crowd().meet()
    const [first] = ['a', 'a'].map((school) => crowd.ask(school))
    const [second, third] = [crowd.ask('a'), crowd.ask('a')]
    crowd.leave(second)
    if (first) await crowd.finish(first)
    expect([second.state, third.state]).toEqual(['left', 'running'])
  })

  it('are as many as database connections, with one for each school', () => {
    expect(
      [16, 1]
        .map((connections) => boundsFor(connections))
        .map(({ running, runningOfOne }) => [running, runningOfOne]),
    ).toEqual([
      [16, 1],
      [1, 1],
    ])
  })
})

const NETWORKS = ['one', 'another'].map(strangerFrom)

const step = fc.record({
  kind: fc.constantFrom('ask', 'ask', 'finish', 'leave'),
  who: fc.constantFrom('a', 'b', 'c', 'd', ...NETWORKS),
  pick: fc.nat(100),
})

it('the fair queue keeps its bounds, leaves no usable turn idle and serves every waiting request', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
      const crowd = await new Crowd().meet()
      for (const { kind, who, pick } of steps) {
        const [running, waiting] = [crowd.in('running'), crowd.in('waiting')]
        const [busy, patient] = [running[pick % running.length], waiting[pick % waiting.length]]
        if (kind === 'ask') crowd.ask(who)
        else if (kind === 'finish' && busy) await crowd.finish(busy)
        else if (kind === 'leave' && patient) crowd.leave(patient)
        requireSound(crowd)
      }
      for (let [busy] = crowd.in('running'); busy; [busy] = crowd.in('running')) await crowd.finish(busy)
      expect(crowd.in('waiting')).toEqual([])
      expect([crowd.turns.running, crowd.turns.waiting]).toEqual([0, 0])
    }),
  )
})

it('a school with one request waits for at most one turn of each other school (S95)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(3), { maxLength: 60 }),
      fc.infiniteStream(fc.nat(3)),
      async (loads, picks) => {
        const crowd = await new Crowd().meet()
        for (const noisy of loads) crowd.ask(`noisy ${noisy}`)
        const quiet = crowd.ask('quiet')
        crowd.served.splice(0)
        while (quiet.state === 'waiting') {
          const running = crowd.in('running')
          const done = running[(picks.next().value ?? 0) % running.length]
          if (done) await crowd.finish(done)
          // Each noisy school sends another request at once.
          if (done) crowd.ask(done.asker)
        }
        const before = crowd.served.slice(0, crowd.served.indexOf('quiet'))
        expect(new Set(before).size).toBe(before.length)
      },
    ),
  )
})

function requireSound(crowd: Crowd): void {
  const running = crowd.in('running')
  const schools = [...new Set(crowd.asked.map(({ asker }) => asker.school))]
  expect([crowd.turns.running, crowd.turns.waiting]).toEqual([running.length, crowd.in('waiting').length])
  expect(running.length).toBeLessThanOrEqual(BOUNDS.running)
  for (const school of schools) {
    const [own, line] = [crowd.in('running', school).length, crowd.in('waiting', school).length]
    expect(own).toBeLessThanOrEqual(BOUNDS.runningOfOne)
    const most =
      school === NETWORKS[0]?.school ? BOUNDS.waitingOfNetwork * NETWORKS.length : BOUNDS.waitingOfOne
    expect(line).toBeLessThanOrEqual(most)
    if (line > 0) expect(running.length === BOUNDS.running || own === BOUNDS.runningOfOne).toBe(true)
  }
}
