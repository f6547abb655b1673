import { LicenseClassTemplateSchema } from '../../contract/license-class-template.ts'
import { listLicenseClassTemplates } from '../../db/license-class-templates.ts'
import { operation } from '../operation.ts'
import { sendList } from '../responses/list-reply.ts'
import { lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

/** Routes for licence class templates, read-only because the country's pack defines them. */
export function licenseClassTemplateRoutes(app: App, { db }: Service): void {
  app.get(
    '/license-class-templates',
    operation('catalogue', {
      permission: 'see_the_catalogue',
      operationId: 'listLicenseClassTemplates',
      summary: 'List the licence class templates with their requirements',
      description:
        "Use it to choose the class of a student. Templates come from the country's pack and cannot be changed.",
      returns: 'The templates in the order of the pack, or a page of them.',
      ...lists(LicenseClassTemplateSchema, {}),
    }),
    async (request, reply) =>
      sendList(request, reply, listLicenseClassTemplates(db, request.actor.tenant.id)),
  )
}
