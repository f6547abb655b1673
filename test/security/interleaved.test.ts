import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { populate } from '../support/canary.ts'
import { aSchool, type School } from '../support/factory.ts'
import { times } from '../support/races.ts'

const service = useService()
const WORDS = ['amsel', 'drossel'] as const
const ROUNDS = 40
const SOCKETS = 16
const READS = ['/students', '/instructors', '/appointments', '/bootstrap', '/changes', '/users', '/tenant']

type Owned = { readonly school: School; readonly word: string; readonly foreign: string }
let owned: readonly Owned[]

beforeAll(async () => {
  owned = await Promise.all(
    WORDS.map(async (word, index) => {
      const school = await aSchool(service(), { name: `Fahrschule ${word}` })
      await populate(school, word)
      return { school, word, foreign: WORDS[1 - index] ?? '' }
    }),
  )
})

/** Connections that either school may have used before. */
const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS })

function read({ school }: Owned, path: string): Promise<{ status: number | undefined; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof read>>>()
  const headers = { authorization: school.client.headers.authorization ?? '' }
  request(`${service().url}/api/v1${path}`, { agent, headers }, async (answer) =>
    resolve({ status: answer.statusCode, body: await text(answer) }),
  )
    .on('error', reject)
    .end()
  return promise
}

it('two schools reading concurrently over shared connections get only their own data (S60)', async () => {
  const asked = times(ROUNDS, () => READS.flatMap((path) => owned.map((one) => ({ one, path })))).flat()
  const answers = await Promise.all(
    asked.map(async ({ one, path }) => ({ ...one, path, answer: await read(one, path) })),
  )
  const served = answers.filter(({ answer }) => answer.status === 200)
  // Some of so many concurrent requests are rejected, without data. Most are served.
  expect(answers.filter(({ answer }) => ![200, 503].includes(answer.status ?? 0))).toEqual([])
  expect(served.length).toBeGreaterThan(asked.length / 2)
  for (const { answer, word, foreign, path } of served) {
    expect(answer.body, path).toContain(word)
    expect(answer.body, path).not.toContain(foreign)
  }
  agent.destroy()
})
