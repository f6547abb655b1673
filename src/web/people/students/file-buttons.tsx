import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Deferred } from '../../ui/deferred.tsx'
import css from './file-buttons.module.css'
import type { StudentSearch } from './student-search.ts'

const loadImport = () => import('./import-dialog.tsx')
const loadExport = () => import('./export-dialog.tsx')

type FileButtonsProps = {
  readonly canExport: boolean
  readonly onOpen: (file: StudentSearch['file']) => void
}

export function FileButtons({ canExport, onOpen }: FileButtonsProps) {
  const { t } = useTranslation()
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
    </div>
  )
}

type FileDialogProps = {
  readonly open: StudentSearch['file']
  readonly onClose: () => void
}

/** The open form of an import or export. */
export function FileDialog({ open, onClose }: FileDialogProps) {
  if (open === 'import') return <Deferred load={loadImport} props={{ onClose }} />
  return open === 'export' && <Deferred load={loadExport} props={{ onClose }} />
}
