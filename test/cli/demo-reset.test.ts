// @module-tag long: creates two more demos; demo.test.ts creates one, and checks that --reset is rejected while it runs
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Client } from '../support/client.ts'
import { fiveMondaysAround, lessonsByWeek } from './demo-rules.ts'
import { EMAIL, MAKING, shownBy, startDemo } from './demo-service.ts'
import { useSandbox } from './sandbox.ts'

const sandbox = useSandbox()

it('a demo reset that is interrupted by kill -9 is completed by the next start', async () => {
  const DATA_DIR = join(await sandbox.folder(), 'demo')
  const first = await startDemo(sandbox, { DATA_DIR })
  const school = await shownBy(first.api)
  await first.program.stop()
  const cutShort = sandbox.start(['demo', '--reset'], { DATA_DIR, PORT: '0' })
  await cutShort.says(MAKING)
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 3000))
  await cutShort.stop('SIGKILL')
  const { api, program, password, url } = await startDemo(sandbox, { DATA_DIR })
  expect(password).not.toBe(first.password)
  const login = await new Client({ url }).post('/auth/login', { email: EMAIL, password: first.password })
  expect(login.status).toBe(401)
  const fresh = await shownBy(api)
  expect([fresh.instructors.length, fresh.students.length]).toEqual([6, 60])
  expect(Object.keys(lessonsByWeek(fresh.appointments))).toEqual(fiveMondaysAround(new Date()))
  const known = new Set(school.appointments.map(({ id }) => id))
  expect(fresh.appointments.filter(({ id }) => known.has(id))).toEqual([])
  await program.stop()
})
