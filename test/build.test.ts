import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PluginOption } from 'vite'
import { afterEach, expect, it, vi } from 'vitest'
import { licencesOf } from '../build/third-party.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

/** Returns the names of the build's plugins for an API at this address. */
async function pluginsFor(api: string): Promise<unknown[]> {
  vi.stubEnv('VITE_API_URL', api)
  const { default: config } = await import('../vite.config.ts')
  return config.plugins?.flat().map((plugin: PluginOption) => plugin && 'name' in plugin && plugin.name) ?? []
}

it.each([
  ['', true],
  ['https://api.fahrschule-am-alten-wasserturm.example', false],
])('a build with the API address “%s” has a bundle budget: %s', async (api, isBounded) => {
  expect((await pluginsFor(api)).includes('bundle-budget')).toBe(isBounded)
})

it('the licences of bundled packages are listed once each, in order, with their texts', () => {
  const folders = ['react', 'idb-keyval', '@mantine/core', 'react'].map((name) => `node_modules/${name}`)
  const parts = licencesOf(folders).split(`\n${'-'.repeat(80)}\n\n`)
  expect(parts.map((part) => part.split(' ')[0])).toEqual(['@mantine/core', 'idb-keyval', 'react'])
  expect(parts[2]).toContain('(MIT)\n\nMIT License\n\nCopyright (c) Meta Platforms')
})

it('a bundled package whose licence is unknown or not allowed fails the build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fahrplan-licences-'))
  for (const [license, reason] of [
    ['AGPL-3.0-only', 'odd 1.0.0: AGPL-3.0-only'],
    [undefined, 'odd 1.0.0: no licence'],
  ]) {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'odd', version: '1.0.0', license }))
    expect(() => licencesOf([folder])).toThrow(reason)
  }
  rmSync(folder, { recursive: true })
})
