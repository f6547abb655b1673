import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Deferred } from '../../ui/deferred.tsx'
import css from './file-buttons.module.css'
import type { StudentSearch } from './student-search.ts'

const loadImport = () => import('./import-dialog.tsx')
const loadExport = () => import('./export-dialog.tsx')

type FileButtonsProps = {
  readonly canExport: boolean
  readonly open: StudentSearch['file']
  readonly onOpen: (file: StudentSearch['file']) => void
}

export function FileButtons({ canExport, open, onOpen }: FileButtonsProps) {
  const { t } = useTranslation()
  const onClose = () => onOpen(undefined)
  return (
    <div className={css.pair}>
      <Button look="bare" onClick={() => onOpen('import')}>
        {t('files.import')}
      </Button>
      {canExport && (
        <Button look="bare" onClick={() => onOpen('export')}>
          {t('files.export')}
        </Button>
      )}
      {open === 'import' && <Deferred load={loadImport} props={{ onClose }} />}
      {open === 'export' && <Deferred load={loadExport} props={{ onClose }} />}
    </div>
  )
}
