import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { inSlices, type Part, partsInSlices, SLICE_BYTES } from './slices.ts'

const LONG = 'x'.repeat(SLICE_BYTES * 3 + 1)

async function* partsOf(...parts: readonly Part[]): AsyncGenerator<Part> {
  yield* parts
}

describe('parts in slices', () => {
  it.each([
    ['texts and bytes of any length', 'first', [',', Buffer.from(LONG), 'ä', LONG]],
    ['empty parts', '', ['', Buffer.alloc(0), 'x', '']],
    ['a single part', LONG, []],
    ['nothing', '', []],
  ] satisfies readonly [string, string, readonly Part[]][])('contain %s', async (_, first, rest) => {
    const slices: Buffer[] = []
    await once(
      partsInSlices(first, partsOf(...rest)).on('data', (slice: Buffer) => slices.push(slice)),
      'end',
    )
    expect(Buffer.concat(slices).toString()).toBe([first, ...rest].join(''))
    expect(Math.max(0, ...slices.map(({ length }) => length))).toBeLessThanOrEqual(SLICE_BYTES)
  })

  it('are produced only after the previous ones have been read', async () => {
    const made: number[] = []
    async function* counted(): AsyncGenerator<Part> {
      for (const index of [0, 1, 2]) {
        made.push(index)
        yield LONG
      }
    }
    const stream = partsInSlices(LONG, counted())
    stream.read(0)
    await nextTurn()
    expect(made).toEqual([])
    stream.resume()
    await stream.toArray()
    expect(made).toEqual([0, 1, 2])
  })

  it('fail if a part fails', async () => {
    async function* failing(): AsyncGenerator<Part> {
      yield LONG
      throw new Error('lost')
    }
    await expect(partsInSlices('', failing()).toArray()).rejects.toThrow('lost')
  })

  it('end their source when the reader stops', async () => {
    let isOver = false
    async function* watched(): AsyncGenerator<Part> {
      try {
        for (;;) yield LONG
      } finally {
        isOver = true
      }
    }
    for await (const _ of partsInSlices('', watched())) break
    expect(isOver).toBe(true)
  })

  it('contain a long buffer', async () => {
    expect(Buffer.concat(await inSlices(Buffer.from(LONG)).toArray()).toString()).toBe(LONG)
  })
})
