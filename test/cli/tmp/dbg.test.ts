import { expect, it } from 'vitest'
import { exitWithin, isListening, until, useWorkshop } from '../../support/process.ts'
import { onPostgres } from '../fresh-database.ts'
import { halfGet, halfLogin } from '../half-sent.ts'
import { statusOf } from '../api.ts'
const workshop = useWorkshop()
it.each([['none'], ['idle'], ['get'], ['login'], ['probe']])('%s', async (what) => {
  const { service, url } = await workshop.serve(onPostgres())
  const port = Number(new URL(url).port)
  if (what === 'idle') await statusOf(url, '/healthz')
  const get = what === 'get' ? await halfGet(url, '/readyz') : undefined
  const login = what === 'login' ? await halfLogin(url, 'a@b.example', 'sdfsdfdsfds') : undefined
  const t = performance.now()
  service.signal('SIGTERM')
  if (what !== 'none') await until(async () => !(await isListening(port)))
  const t1 = performance.now()
  const a = (await get?.finish()) ?? (await login?.finish())
  const t2 = performance.now()
  const exit = await exitWithin(12_000, service)
  console.log(what, { notListening: t1 - t, answered: t2 - t1, exit: performance.now() - t2 }, a?.slice(0, 20), exit)
  expect(exit).toMatchObject({ code: 0 })
})
