import type { Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { loadedBy } from './bundle-budget.ts'

/** Lets the browser store the files that these modules need and install the app. A new version is offered, not forced. */
export function keptApp(modules: readonly string[]): Plugin[] {
  const needed = new Set<string>(['index.html'])
  return [
    {
      name: 'kept-app',
      apply: 'build',
      generateBundle(_, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
        for (const { fileName, viteMetadata } of loadedBy(modules, chunks)) {
          needed.add(fileName)
          for (const file of [...(viteMetadata?.importedCss ?? []), ...(viteMetadata?.importedAssets ?? [])])
            needed.add(file)
        }
      },
    },
    ...VitePWA({
      registerType: 'prompt',
      injectRegister: null,
      includeManifestIcons: false,
      manifest: MANIFEST,
      workbox: {
        globPatterns: ['index.html', 'assets/*.{js,css,svg}'],
        manifestTransforms: [
          (entries) => ({ manifest: entries.filter(({ url }) => needed.has(url)), warnings: [] }),
        ],
        inlineWorkboxRuntime: true,
        // Other pages come from the service, as does the board at `/`: without a network it leads an instructor to the day.
        directoryIndex: null,
        navigateFallback: '/index.html',
        navigateFallbackAllowlist: [/^\/(today|requests|inbox)(\?|$)/],
        runtimeCaching: [
          {
            urlPattern: ({ request, url }) => request.mode === 'navigate' && url.pathname === '/',
            handler: 'NetworkOnly',
            options: { precacheFallback: { fallbackURL: '/index.html' } },
          },
        ],
      },
    }),
  ]
}

const MANIFEST = {
  id: '/today',
  name: 'Fahrplan',
  short_name: 'Fahrplan',
  lang: 'de',
  start_url: '/today',
  scope: '/',
  display: 'standalone' as const,
  background_color: '#ffffff',
  theme_color: '#1864ab',
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
}
