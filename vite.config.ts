import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { bundleBudget } from './build/bundle-budget.ts'
import { checkedPacks } from './build/checked-packs.ts'
import { noChunkCycles } from './build/chunk-cycles.ts'
import { keptApp } from './build/kept-app.ts'
import { isLoadedWith } from './build/loaded-with.ts'
import { mantineStyles } from './build/mantine-styles.ts'
import { precompress } from './build/precompress.ts'
import { thirdPartyLicences } from './build/third-party.ts'
import { withoutDocuments } from './build/without-documents.ts'

/** The app's first page: what the entry loads, the board, and the larger of the two languages. */
const FIRST_LOAD = ['main.tsx', 'board/board-page.tsx', 'ui/i18n/de.ts']
const MOST_KILOBYTES = { scripts: 150, styles: 7 }

/** The modules that an instructor has without a network. */
const WITHOUT_NETWORK = [
  'main.tsx',
  'today/today-page.tsx',
  'today/requests-page.tsx',
  'inbox/inbox-page.tsx',
  'today/offline-day.ts',
  'app/role-notice.tsx',
  'app/user-menu-panel.tsx',
  'ui/i18n/de.ts',
  'ui/i18n/en.ts',
  'ui/i18n/de-later.ts',
  'ui/i18n/en-later.ts',
]

/** The modules of the first load, but for the entry and the texts: one chunk compresses better than twenty, and is requested once. */
const SHARED = /\/(src\/(?!web\/(main\.tsx|ui\/i18n\/de\.ts))|node_modules\/)/

/** The board, which its view by vehicle uses, too, and an instructor's day does not. */
const BOARD = /\/src\/web\/(board\/(?!board-search|day-sheet|special-day)|lessons\/unmarked\/)/

/** The rules that the first page does not wait for, and their texts: one chunk, because most of them need each other. */
const RULES = /\/src\/(domain\/(?!labels\/)|web\/lessons\/[^/]+$)/

/** The modules that an instructor's day shares with other pages: one chunk instead of fifteen small ones. */
const DAY = /\/src\/web\/(?!ui\/i18n\/)/

const isFirst = isWith(FIRST_LOAD)
const isOnPhone = isWith(WITHOUT_NETWORK)

/**
 * The packages that dialogs need, in one chunk that is fetched ahead; an instructor's day works without it. It holds every package
 * that loads later: one that it needs would otherwise be in a dialog's chunk, and the two would wait for each other.
 */
const KIT = /\/node_modules\/(?!any-ascii\/|idb-keyval\/|suncalc\/|workbox-window\/)/
/** The lengths of the phone numbers of all countries, which are fetched once a number has been typed. */
const PHONE = /\/(node_modules\/libphonenumber-js\/|src\/domain\/certain-phone)/

const ALONE = { includeDependenciesRecursively: false }

function isWith(paths: readonly string[]) {
  return isLoadedWith(paths.map((path) => join(import.meta.dirname, 'src/web', path)))
}

export default defineConfig({
  root: join(import.meta.dirname, 'src/web'),
  plugins: [
    checkedPacks(),
    react(),
    mantineStyles(),
    withoutDocuments(),
    // The address of another host is in the scripts, and as long as its operator likes.
    ...(process.env.VITE_API_URL ? [] : [bundleBudget({ modules: FIRST_LOAD, ...MOST_KILOBYTES })]),
    noChunkCycles(),
    precompress(),
    keptApp(WITHOUT_NETWORK),
    thirdPartyLicences(import.meta.dirname),
  ],
  build: {
    outDir: join(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // An inlined file would need a policy that allows `data:` scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'phone', test: PHONE, ...ALONE },
            { name: (id, graph) => (isFirst(id, graph) ? 'board' : undefined), test: BOARD, ...ALONE },
            { name: (id, graph) => (isFirst(id, graph) ? 'shared' : undefined), test: SHARED },
            { name: (id, graph) => (isFirst(id, graph) ? undefined : 'rules'), test: RULES },
            { name: (id, graph) => (isFirst(id, graph) ? undefined : 'kit'), test: KIT, ...ALONE },
            {
              name: (id, graph) => (!isFirst(id, graph) && isOnPhone(id, graph) ? 'day' : undefined),
              test: DAY,
              minShareCount: 2,
              ...ALONE,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
})
