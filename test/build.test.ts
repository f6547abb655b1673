import type { PluginOption } from 'vite'
import { afterEach, expect, it, vi } from 'vitest'

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
