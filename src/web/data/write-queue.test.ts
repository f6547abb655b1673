import { describe, expect, it, vi } from 'vitest'
import type { Appointment } from '../../contract/appointment.ts'
import * as example from '../../contract/examples.ts'
import { mergeWrite, queueWrite, Stale, showPendingWrites, withExpected } from './write-queue.ts'

// Node has no such store for the session to read.
vi.hoisted(() => vi.stubGlobal('localStorage', { getItem: () => null }))

const lesson: Appointment = { ...example.appointment, status: 'planned' }

const answered = (latest: Appointment) => ({ ...latest, version: latest.version + 1 })

describe('requests about one lesson', () => {
  it('wait for each other, and see what the one before has left', async () => {
    const first = Promise.withResolvers<void>()
    const seen: number[] = []
    const one = queueWrite(lesson, async (latest) => {
      seen.push(latest.version)
      await first.promise
      return answered(latest)
    })
    const two = queueWrite(lesson, async (latest) => {
      seen.push(latest.version)
      return answered(latest)
    })
    await Promise.resolve()
    expect(seen).toEqual([lesson.version])
    first.resolve()
    await Promise.all([one, two])
    expect(seen).toEqual([lesson.version, lesson.version + 1])
  })

  it('find it as before where the one before was refused', async () => {
    const one = queueWrite(lesson, () => Promise.reject(new Error('refused')))
    const two = queueWrite(lesson, async (latest) => latest)
    await expect(one).rejects.toThrow('refused')
    expect(await two).toBe(lesson)
  })

  it('begin with what is seen when all others have been answered', async () => {
    await queueWrite(lesson, async (latest) => answered(latest))
    // Continuations of the response are done by the next task.
    await new Promise((done) => setTimeout(done))
    const newer = { ...lesson, version: 7 }
    expect(await queueWrite(newer, async (latest) => latest)).toBe(newer)
  })

  it('do not wait for those about another', async () => {
    const endless = Promise.withResolvers<Appointment>()
    void queueWrite(lesson, () => endless.promise)
    const other = { ...lesson, id: 'other' }
    expect(await queueWrite(other, async (latest) => latest)).toBe(other)
    endless.resolve(lesson)
  })
})

describe('a write beside others', () => {
  const basis = { fields: ['status'], change: { status: 'completed' } }

  /** Stores the rows of others one after the other, each before a write. */
  const storedWith = (...others: readonly Appointment[]) => {
    const left = [...others]
    const seen: Appointment[] = []
    const write = async (latest: Appointment): Promise<Appointment> => {
      seen.push(latest)
      const current = left.shift()
      if (current) throw new Stale(current)
      return { ...answered(latest), status: 'completed' }
    }
    return { seen, write }
  }

  it('is repeated for the row as each of them has left it', async () => {
    const [first, second] = [
      { ...lesson, notes: 'one', version: 2 },
      { ...lesson, notes: 'two', version: 3 },
    ]
    const { seen, write } = storedWith(first, second)
    expect(await mergeWrite(lesson, basis, write)).toEqual({
      ...second,
      status: 'completed',
      version: 4,
    })
    expect(seen).toEqual([lesson, first, second])
  })

  it('is stale if one of them has changed the same field', async () => {
    const cancelled: Appointment = { ...lesson, status: 'cancelled', version: 2 }
    const { write } = storedWith(cancelled)
    await expect(mergeWrite(lesson, basis, write)).rejects.toMatchObject({ current: cancelled })
  })

  it('goes on if another one has given a field the same value', async () => {
    const theirs: Appointment = { ...lesson, status: 'completed', version: 2 }
    const { seen, write } = storedWith(theirs)
    const both = { fields: ['status', 'notes'], change: { status: 'completed', notes: 'Parking' } }
    await mergeWrite(lesson, both, write)
    expect(seen).toEqual([lesson, theirs])
  })

  it('is done if the row has its values already', async () => {
    const stored: Appointment = { ...lesson, status: 'completed', version: 2 }
    const { write } = storedWith(stored)
    expect(await mergeWrite(lesson, basis, write)).toBe(stored)
  })
})

describe('expected writes', () => {
  it('are shown in order until they end, and leave other rows alone', () => {
    const other = { ...lesson, id: 'other' }
    const ends = [
      showPendingWrites([{ id: lesson.id, change: { notes: 'one', title: 'one' } }]),
      showPendingWrites([
        { id: lesson.id, change: { notes: 'two' } },
        { id: other.id, change: 'deleted' },
      ]),
    ]
    expect(withExpected([lesson, other])).toEqual([{ ...lesson, notes: 'two', title: 'one' }])
    ends[1]?.()
    expect(withExpected([lesson, other])).toEqual([{ ...lesson, notes: 'one', title: 'one' }, other])
    ends[0]?.()
    expect(withExpected([lesson, other])).toEqual([lesson, other])
  })
})
