import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { completed, type Steps } from '../domain/steps.ts'
import { TimeSlicer } from './time-slicer.ts'

/** Yields after each step and records it in `done`. A step takes longer than a slice may. */
function* steps(name: string, count: number, done: string[]): Steps<string> {
  for (let step = 0; step < count; step += 1) {
    const end = performance.now() + 6
    while (performance.now() < end);
    done.push(name)
    yield
  }
  return name
}

describe('a computation in slices', () => {
  it('returns the same result as without slices', async () => {
    expect(await new TimeSlicer().run(steps('a', 3, []))).toBe('a')
    expect(completed(steps('a', 3, []))).toBe('a')
  })

  it('yields to the event loop between two slices', async () => {
    const done: string[] = []
    const work = new TimeSlicer().run(steps('work', 5, done))
    for (let round = 0; round < 5; round += 1) {
      await turn()
      done.push('round')
    }
    await work
    expect(done.slice(0, 4)).toEqual(['work', 'round', 'work', 'round'])
  })

  it('runs one slice per event loop turn, alternating between computations', async () => {
    const done: string[] = []
    const works = ['a', 'b', 'c'].map((name) => new TimeSlicer().run(steps(name, 2, done)))
    let rounds = 0
    const counting = (async () => {
      for (; done.length < 6; rounds += 1) await turn()
    })()
    await Promise.all([...works, counting])
    expect(done.join('')).toBe('abcabc')
    expect(rounds).toBeGreaterThanOrEqual(5)
  })

  it('stops with unavailable when its result is no longer wanted', async () => {
    const done: string[] = []
    const work = new TimeSlicer(() => done.length < 2).run(steps('work', 9, done))
    await expect(work).rejects.toMatchObject({ code: 'unavailable' })
    expect(done).toHaveLength(2)
  })
})
