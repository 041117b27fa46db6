// One entry per profile: how the host that the profile is named for builds its validator.
//
// Each factory returns a function that makes a *fresh* engine; an engine takes a schema and returns
// a function over instances. What it throws on a schema is the compile error, what the returned
// function throws is "thrown", and the text is what the SDK prints after its fixed prefix.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Imports a file of an installed package by path, so that "exports" maps do not stand in the way. */
function importer(modules) {
  return file => import(pathToFileURL(path.join(modules, file)).href);
}

/** The SDKs' own provider classes: getValidator(schema) -> input -> {valid, errorMessage}. */
const provider = (file, name) => async load => {
  const Provider = (await load(file))[name];
  return () => {
    const engine = new Provider();
    return schema => {
      const validate = engine.getValidator(schema);
      return instance => {
        const { valid, errorMessage } = validate(instance);
        return valid ? null : errorMessage;
      };
    };
  };
};

/** SDK releases before the provider classes keep their Ajv in a private field of Client. */
const clientAjv = file => async load => {
  const { Client } = await load(file);
  return () => ajvEngine(new Client({ name: 'oracle', version: '0' })._ajv);
};

/** A plain Ajv, used as those SDKs use theirs: compile, call, errorsText. */
function ajvEngine(ajv) {
  return schema => {
    const validate = ajv.compile(schema);
    return instance => (validate(instance) ? null : ajv.errorsText(validate.errors));
  };
}

const plainAjv = async load => {
  const Ajv = (await load('ajv/dist/ajv.js')).default.default;
  return () => ajvEngine(new Ajv());
};

/** How Gemini CLI and Qwen Code check the arguments of a call (their utils/schemaValidator). */
const checkingAjv = file => async load => {
  const Ajv = (await load(file)).default.default;
  const addFormats = (await load('ajv-formats/dist/index.js')).default.default;
  return () => {
    const ajv = new Ajv({ strictSchema: false, logger: false });
    addFormats(ajv);
    return ajvEngine(ajv);
  };
};

/** How Mastra checks the arguments of a call (its schema-compat): no $schema counts as 2020-12. */
const mastraAjv = async load => {
  const Ajv = (await load('ajv/dist/ajv.js')).default.default;
  const Ajv2020 = (await load('ajv/dist/2020.js')).default.default;
  return () => schema => {
    const tag = schema?.$schema || 'https://json-schema.org/draft/2020-12/schema';
    const Class = typeof tag === 'string' && tag.includes('2020-12') ? Ajv2020 : Ajv;
    return ajvEngine(new Class({ allErrors: true, strict: false, logger: false }))(schema);
  };
};

/** How LangChain.js checks the arguments of a call: validate(), whose default draft is 2019-09. The words are
 * joined as the SDK's provider joins them; LangChain.js itself shows none. */
const plainCfworker = async load => {
  const { validate } = await load('@cfworker/json-schema/dist/esm/index.js');
  return () => schema => instance => {
    const { valid, errors } = validate(instance, schema);
    return valid ? null : errors.map(e => `${e.instanceLocation}: ${e.error}`).join('; ');
  };
};

const factories = {
  'ajv8-draft07-lax': provider('sdk-1.32.2/dist/esm/validation/ajv-provider.js', 'AjvJsonSchemaValidator'),
  'ajv8-draft07-noformats': clientAjv('sdk-1.11.4/dist/esm/client/index.js'),
  'ajv6': clientAjv('sdk-1.17.0/dist/esm/client/index.js'),
  'ajv8-dispatch': provider('client-2.4.0/dist/validators/ajv.mjs', 'AjvJsonSchemaValidator'),
  'ajv8-2020-only': provider('client-2.0.0-beta.5/dist/validators/ajv.mjs', 'AjvJsonSchemaValidator'),
  'ajv8-strict': plainAjv,
  'ajv8-draft07-checking': checkingAjv('ajv/dist/ajv.js'),
  'ajv8-2020-checking': checkingAjv('ajv/dist/2020.js'),
  'ajv8-dispatch-checking': mastraAjv,
  'cfworker-2019': plainCfworker,
  'cfworker-2020': provider('sdk-1.32.2/dist/esm/validation/cfworker-provider.js', 'CfWorkerJsonSchemaValidator'),
  'cfworker-dispatch': provider('client-2.4.0/dist/validators/cfWorker.mjs', 'CfWorkerJsonSchemaValidator'),
};

export const profileNames = Object.keys(factories);

/** Loads the real library of a profile from a node_modules folder; returns the maker of fresh engines. */
export async function loadProfile(name, modules) {
  if (!Object.hasOwn(factories, name)) {
    throw new Error(`no such profile: ${name}; this runner has ${profileNames.join(', ')}`);
  }
  return factories[name](importer(modules));
}
