import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { bundleBudget } from './build/bundle-budget.ts'
import { mantineStyles } from './build/mantine-styles.ts'
import { precompress } from './build/precompress.ts'

/** The app's first page: what the entry loads, the board, and the larger of the two languages. */
const FIRST_LOAD = ['main.tsx', 'board/board-page.tsx', 'i18n/de.ts']
const MOST_KILOBYTES = { scripts: 180, styles: 10 }

/** What every page works with: in one piece it compresses better than in twenty, and is asked for once. */
const SHARED =
  /\/src\/(domain\/(?!diary|openings)|web\/(api|lessons|session)\/)|\/src\/web\/ui\/(deferred|problem-words|school|states|store|toasts)\./

/** What dialogs are made of: fetched ahead in one piece. */
const KIT =
  /\/node_modules\/(@mantine|@floating-ui|dayjs|react-number-format|react-remove-scroll|react-style-singleton|use-sidecar|use-callback-ref|get-nonce|tslib)/

export default defineConfig({
  root: join(import.meta.dirname, 'src/web'),
  plugins: [
    react(),
    mantineStyles(),
    bundleBudget({ modules: FIRST_LOAD, ...MOST_KILOBYTES }),
    precompress(),
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
            { name: 'shared', test: SHARED },
            { name: 'kit', test: KIT, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
})
