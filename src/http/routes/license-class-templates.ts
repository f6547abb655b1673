import { Type } from 'typebox'
import { closed, ref } from '../../contract/fields.ts'
import { LicenseClassTemplateSchema } from '../../contract/license-class-template.ts'
import { listLicenseClassTemplates } from '../../db/license-class-templates.ts'
import type { Database } from '../../db/tables.ts'
import { answers, empty } from '../answers.ts'
import { type List, pageParameters, sendList } from '../list-reply.ts'
import type { App, Service } from '../service.ts'

/** The tenant's templates, in their pack's order. */
export function licenseClassTemplateList(db: Database, tenantId: string): List {
  return { read: (page) => listLicenseClassTemplates(db, tenantId, page), orderedBy: ['id'] }
}

/** Templates are read-only: the command line makes them from a country's pack. */
export function licenseClassTemplateRoutes(app: App, { db }: Service): void {
  app.get(
    '/license-class-templates',
    {
      schema: {
        tags: ['catalogue'],
        operationId: 'listLicenseClassTemplates',
        summary: 'List the licence class templates with their requirements',
        querystring: closed(pageParameters),
        response: answers(
          { 200: Type.Array(ref(LicenseClassTemplateSchema)), 304: empty('Not modified') },
          401,
        ),
      },
    },
    async (request, reply) => sendList(request, reply, licenseClassTemplateList(db, request.actor.tenant.id)),
  )
}
