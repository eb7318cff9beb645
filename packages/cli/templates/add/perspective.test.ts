import { messageOf, newId } from '@svc/core';
import { given } from '@svc/core/testing';
import { expect, test } from 'vitest';
import { TemplateName, TemplateNameChanged } from './template-name.js';

test('TemplateName has a model for each stream', () => {
  const id = newId();
  const changed = messageOf(TemplateNameChanged, { id });
  expect(given(new TemplateName(), changed).requirePure().model()).toMatchObject({ id });
});
