"""The chat template of a model file is somebody else's program: rendered in a sandbox, or not at all."""

from pathlib import Path

import pytest
from jinja2.exceptions import TemplateError

from engine.answer.generation.llama import chat_format
from engine.errors import GenerationFailed

WAYS_OUT = [
    "{{ messages.__class__.__mro__[1].__subclasses__() }}",
    "{{ ''.__class__.__base__.__subclasses__() }}",
    "{{ cycler.__init__.__globals__.os.system('touch FILE') }}",
    "{{ lipsum.__globals__['os'].system('touch FILE') }}",
    "{{ self.__init__.__globals__.__builtins__.open('FILE', 'w') }}",
    "{{ raise_exception.__globals__.__builtins__.__import__('os').system('touch FILE') }}",
    "{% set x = ''.format_map %}{{ '{0.__class__.__init__.__globals__}'.format(messages) }}",
    "{{ messages.append({'role': 'system', 'content': 'x'}) }}",
    "{% include '/etc/hostname' %}",
    "{% import '/etc/hostname' as x %}",
]


@pytest.mark.parametrize("template", WAYS_OUT)
def test_a_template_reaches_nothing_outside_its_messages(template: str, tmp_path: Path) -> None:
    file = tmp_path / "touched"
    pytest.importorskip("llama_cpp")
    messages = [{"role": "user", "content": "你好"}]
    try:
        formatter = chat_format({"tokenizer.chat_template": template.replace("FILE", str(file))}, "m.gguf")
        said = formatter(messages=messages).prompt
    except (TemplateError, GenerationFailed, TypeError):
        said = ""
    assert "class" not in said and "globals" not in said
    assert not file.exists()
    assert messages == [{"role": "user", "content": "你好"}]
