import { messageOf } from '@svc/core';
import { receptorTest } from '@svc/core/testing';
import { test } from 'vitest';
import { registry } from './generated/registry.js';
import { TemplateName, TemplateNameDone } from './template-name.js';

const { given, streamId: id } = receptorTest(registry);

test('TemplateName appends TemplateNameDone', () =>
  given().when(messageOf(TemplateName, { id })).then(messageOf(TemplateNameDone, { id })));
