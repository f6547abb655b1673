import { describe, expect, it } from 'vitest'
import type { Appointment } from '../../contract/appointment.ts'
import * as example from '../../contract/examples.ts'
import { inOrder } from './in-order.ts'

const lesson: Appointment = { ...example.appointment, status: 'planned' }

const answered = (latest: Appointment) => ({ ...latest, version: latest.version + 1 })

describe('requests about one lesson', () => {
  it('wait for each other, and see what the one before has left', async () => {
    const first = Promise.withResolvers<void>()
    const seen: number[] = []
    const one = inOrder(lesson, async (latest) => {
      seen.push(latest.version)
      await first.promise
      return answered(latest)
    })
    const two = inOrder(lesson, async (latest) => {
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
    const one = inOrder(lesson, () => Promise.reject(new Error('refused')))
    const two = inOrder(lesson, async (latest) => latest)
    await expect(one).rejects.toThrow('refused')
    expect(await two).toBe(lesson)
  })

  it('begin with what is seen when all others have been answered', async () => {
    await inOrder(lesson, async (latest) => answered(latest))
    // Continuations of the response are done by the next task.
    await new Promise((done) => setTimeout(done))
    const newer = { ...lesson, version: 7 }
    expect(await inOrder(newer, async (latest) => latest)).toBe(newer)
  })

  it('do not wait for those about another', async () => {
    const endless = Promise.withResolvers<Appointment>()
    void inOrder(lesson, () => endless.promise)
    const other = { ...lesson, id: 'other' }
    expect(await inOrder(other, async (latest) => latest)).toBe(other)
    endless.resolve(lesson)
  })
})
